import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload
@testable import TarmacTransfer

/// The time limit of a call is meant for small ones: an upload may take as long as it comes on, and no longer.
@Suite("Time limits of uploads", .timeLimit(.minutes(5)))
struct UploadTimeTests {
    /// A connection on which so much time passes before each piece of a body leaves.
    private final class SlowTransport: Transport {
        let name = "slow"
        let capabilities = TransportCapabilities.everything
        private let time: ManualTime
        private let pauses: [Duration]

        init(_ time: ManualTime, pauses: [Duration]) { (self.time, self.pauses) = (time, pauses) }

        func send(_ request: Request, exchange: Exchange) async throws -> Response {
            // LIFETIME: ends with the answer, or is cancelled by the abort.
            let flight = Task { try await self.fly(request, exchange) }
            exchange.onAbort { _ in flight.cancel() }
            do { return try await flight.value } catch { throw exchange.abortReason?.error ?? error }
        }

        private func fly(_ request: Request, _ exchange: Exchange) async throws -> Response {
            exchange.report(.connected(isReused: false))
            exchange.report(.sentHead)
            if case .stream(let stream) = request.body.content {
                var pauses = pauses[...]
                for try await chunk in stream {
                    if let pause = pauses.popFirst() {
                        // Whoever watches the time has set his alarm before it passes.
                        try await time.hasSleepers()
                        time.advance(by: pause)
                        // One that is too long is noticed before anything leaves.
                        if pause > .seconds(60) { try await Watched(false).wait { $0 } }
                    }
                    exchange.report(.sentBody(bytes: chunk.count))
                }
            }
            exchange.report(.sentAll)
            exchange.report(.receivedHead)
            exchange.report(.ended)
            return answer(request)
        }

        private func answer(_ request: Request) -> Response {
            guard let offset = HTTPField.Name("Upload-Offset") else { return Response(status: .noContent, url: request.url) }
            let fields: HTTPFields = request.method == .post ? [.location: "/uploads/1"] : [offset: "\(request.body.length ?? 0)"]
            return Response(status: request.method == .post ? .created : .noContent, headers: fields, url: request.url)
        }

        func shutdown() async {}
    }

    private static let steady = Array(repeating: Duration.seconds(40), count: 4)
    private static let size = Int64(FileSlice.pieceSize * 4)

    private func client(_ pauses: [Duration]) -> Client {
        let time = ManualTime(), transport = SlowTransport(time, pauses: pauses)
        return Client(transport: TransportFactory(name: "slow") { _ in transport }, services: [Service("s", host: "https://s.example")], time: time) {
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.seconds(60), .seconds(50), .unlimited)
        }
    }

    private func withFile<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        try await withFolder { folder in
            try Self.write(noise(Int(Self.size)), "\(folder)/f")
            return try await body("\(folder)/f")
        }
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try PartialFile(path)
        try file.append(Bytes(bytes))
        file.close()
    }

    @Test func anUploadThatComesOnMayTakeLongerThanItsTimeout() async throws {
        try await withFile { path in
            let body = FileSlice.body(path: path, 0..<Self.size, contentType: "text/plain")
            try await client(Self.steady).send(Upload(body, to: .put("/")))
            // What is no upload has the time of a call.
            let error = await failure { try await client(Self.steady).send(InlineEndpoint<Void>.put("/", body: body)) }
            #expect(error?.code == .timeout)
        }
    }

    @Test func aResumableUploadToo() async throws {
        try await withFile { path in
            let landed = try await client(Self.steady).send(Upload(.file(path), to: .post("/files"), by: .tus))
            #expect(landed.url.path == "/uploads/1")
        }
    }

    @Test func anUploadThatStallsIsEnded() async throws {
        try await withFile { path in
            let body = FileSlice.body(path: path, 0..<Self.size, contentType: "text/plain")
            let error = await failure { try await client([.seconds(40), .seconds(61)]).send(Upload(body, to: .put("/"))) }
            #expect(error?.code == .idleTimeout)
            #expect(error?.phase == .sending)
        }
    }

    @Test func theDeadlineIsForTheWholeOfIt() async throws {
        try await withFile { path in
            let body = FileSlice.body(path: path, 0..<Self.size, contentType: "text/plain")
            let error = await failure { try await client(Self.steady).send(Upload(body, to: .put("/"))) { $0.deadline = .seconds(100) } }
            #expect(error?.code == .deadlineExceeded)
        }
    }
}
