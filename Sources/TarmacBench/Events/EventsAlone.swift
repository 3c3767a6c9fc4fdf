#if Tools
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacStreams

/// Server-Sent Events: how fast they are parsed, and what many open streams cost.
enum EventsAlone {
    struct Result: Codable {
        /// Parsed in one second of one core: events like those of a chat, about 130 bytes each, in chunks of 16 KiB.
        var eventsPerSecond: Double
        /// From body to loop through a whole client, in one second of processor time.
        var deliveredPerSecond: Double
        /// Seconds for one event whose line is 5 MB, in chunks of 16 KiB.
        var longLineSeconds: Double
        /// Memory that so many open streams took, in bytes.
        var streams: Int
        var streamMemory: Int
        /// The longest of 200 ordinary calls meanwhile, in seconds.
        var slowestCall: Double
    }

    static func measure(events: Int, streams: Int) async throws -> Result {
        let open = try await OpenStreams(count: streams).measure()
        return Result(
            eventsPerSecond: try parsing(events), deliveredPerSecond: try await delivering(events), longLineSeconds: try longLine(), streams: streams,
            streamMemory: open.memory, slowestCall: open.slowestCall)
    }

    // MARK: Parsing

    private static let chunkSize = 16_384

    /// A run of events in chunks that end wherever they end.
    private static func chunks(_ count: Int) -> [Bytes] {
        let text = (0..<count).map { number in
            "event: content_block_delta\nid: \(number)\ndata: {\"type\":\"delta\",\"index\":0,\"delta\":{\"type\":\"text\",\"text\":\" the next few words\"}}\n\n"
        }
        return split(Array(text.joined().utf8))
    }

    private static func split(_ bytes: [UInt8]) -> [Bytes] {
        stride(from: 0, to: bytes.count, by: chunkSize).map { Bytes(Array(bytes[$0..<min($0 + chunkSize, bytes.count)])) }
    }

    private static func parse(_ chunks: [Bytes]) throws -> Int {
        var parser = EventStreamParser()
        var count = 0
        for chunk in chunks {
            parser.append(chunk)
            while try parser.next() != nil { count += 1 }
        }
        return count
    }

    private static func parsing(_ events: Int) throws -> Double {
        let chunks = chunks(events)
        _ = try parse(chunks)
        var count = 0
        let seconds = try ThreadClock.measure(1) { count = try parse(chunks) }
        return Double(count) / seconds
    }

    private static func longLine() throws -> Double {
        let bytes = Array("data: ".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000) + Array("\n\n".utf8)
        let chunks = split(bytes)
        return try ThreadClock.measure(10) { _ = try parse(chunks) }
    }

    private static func delivering(_ events: Int) async throws -> Double {
        let chunks = chunks(events)
        let client = Client(
            transport: TransportFactory(name: "instant") { _ in InstantEvents(chunks: chunks) }, services: [Service("s", host: "http://127.0.0.1")])
        let before = Usage.now()
        var count = 0
        for try await _ in client.events(.get("/"), configure: { $0.events = .once }) { count += 1 }
        let seconds = (Usage.now() - before).cpu
        await client.shutdown()
        return Double(count) / seconds
    }
}

/// Answers at once with a body of chunks that are there already.
private struct InstantEvents: TarmacCore.Transport {
    let name = "instant"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    let chunks: [Bytes]

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.receivedHead)
        let rest = Locked(chunks[...])
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"], body: .stream(ByteStream { Chunks(rest) }), url: request.url)
    }

    func shutdown() async {}
}

private final class Chunks: ByteStreamSource {
    private let rest: Locked<ArraySlice<Bytes>>
    init(_ rest: Locked<ArraySlice<Bytes>>) { self.rest = rest }
    func next() async throws -> Bytes? { rest.withLock { $0.popFirst() } }
}
#endif
