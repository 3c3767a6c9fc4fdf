import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// What a log holds at most.
@Suite("Call log, bounds", .timeLimit(.minutes(5)))
struct CallLogBoundTests {
    private func call(_ number: UInt64, path: String = "/") throws -> RawCall {
        var call = RawCall(imported: try Request(.get, "https://s.example\(path)"), number: number, start: 0, end: .landed(.zero))
        call.finish(nil)
        return call
    }

    @Test func callsThatEndLeaveNoPlaceBehindWhileOneStaysInFlight() throws {
        var state = LogState(last: 3, memory: 1 << 30)
        _ = state.begin(CallRecord(try call(0)))
        for number in 1...10_000 as ClosedRange<UInt64> {
            let record = CallRecord(try call(number))
            _ = state.begin(record)
            _ = state.change(record) { $0.finish(.landed(.zero)) }
        }
        #expect(state.count == 3 && state.places.count <= 2 * 3 + 65)
        #expect(state.records.map(\.id) == [1, 10_000, 10_001] && state.record(of: 1)?.raw.end == nil)
    }

    @Test func droppedAttemptsLeaveNoMemoryBehind() throws {
        var call = try call(0)
        let request = try Request(.post, "https://s.example/", body: .text(String(repeating: "a", count: 100)))
        var sizes: [Int] = []
        for _ in 0..<300 {
            let number = call.begin(KeptRequest(request), body: RawBody(Bytes("0123456789"), limit: 10))
            call.change(number) { $0.response = RawResponse(.text("hello"), limit: 5) }
            sizes.append(call.kept)
        }
        #expect(sizes[99] == sizes[299] && sizes[0] < sizes[1])
    }

    @Test func droppedNotesLeaveNoMemoryBehind() throws {
        var call = try call(0)
        var sizes: [Int] = []
        for _ in 0..<1_000 {
            call.note(.warning, "a text of one length", at: .now)
            sizes.append(call.kept)
        }
        #expect(sizes[299] == sizes[999])
    }

    @Test func longAddressesCountToo() async throws {
        let rig = LogRig(CallLog(memory: .bytes(50_000))), path = "/" + String(repeating: "a", count: 5_000)
        for _ in 0..<30 { try await rig.get(path) }
        #expect((1..<10).contains(rig.log.entries.count))
        await rig.client.shutdown()
    }

    @Test(arguments: [100, 5_000, 60_000]) func headerFieldsCountAsLongAsTheyAre(length: Int) async throws {
        let log = CallLog(memory: .bytes(400_000)), text = String(repeating: "v", count: length)
        let client = Client(transport: .stub { _ in .text("hello", headers: [.init("X-Long")!: text]) }, services: [.logged]) {
            ($0.log, $0.headers["X-Sent"]) = (log, text)
        }
        for _ in 0..<200 { try await client.get("/n") }
        let fields = log.entries.flatMap(\.attempts).flatMap { $0.request.headers + ($0.response?.headers ?? []) }
        let held = fields.reduce(0) { $0 + $1.value.utf8.count }
        #expect(held <= 400_000 && log.state.withLock { $0.kept } <= 400_000)
        #expect(length > 100 ? log.entries.count < 40 : log.entries.count > 50)
        await client.shutdown()
    }

    /// The caller's request, that on the wire and the kept part of both share their bytes.
    @Test(arguments: [CallLog.Bodies.none, .first(.kib(64)), .first(.bytes(100))]) func aBodyCountsOnce(bodies: CallLog.Bodies) async throws {
        let log = CallLog(bodies: bodies), text = String(repeating: "b", count: 20_000)
        let client = Client(transport: .stub { _ in .text(text) }, services: [.logged]) { $0.log = log }
        try await client.post("/n", body: .text(text))
        let kept = log.state.withLock { $0.kept }, response = bodies == .first(.kib(64)) ? 20_000 : 0
        #expect((20_000 + response..<25_000 + response).contains(kept), "\(kept)")
        await client.shutdown()
    }

    @Test func theMaskedFormsOfOldCallsMakeRoomForThoseOfNewOnes() async throws {
        let text = String(repeating: "0123456789", count: 500), log = CallLog(bodies: .first(.kib(8)), memory: .bytes(100_000))
        let client = Client(transport: .stub { _ in .text(text) }, services: [.logged]) { $0.log = log }
        func masked() -> [UInt64] { log.state.withLock { $0.records.filter { $0.masked != nil }.map(\.id) } }
        for number in 0..<8 { try await client.get("/n/\(number)") }
        _ = log.entries
        let all = masked()
        #expect(all.last == 8 && all == Array((all.first ?? 0)...8) && (2..<8).contains(all.count))
        // A new call takes the room of a few.
        try await client.get("/new")
        let left = masked()
        #expect(!left.isEmpty && left.last == 8 && left.count < all.count)
        #expect(log.state.withLock { $0.kept + $0.cached } <= 100_000)
        await client.shutdown()
    }

    @Test func callsAreFoundByTheirNumbers() async throws {
        let log = CallLog(last: 300), rigs = (0..<3).map { _ in LogRig(log) }
        for number in 0..<200 { for rig in rigs { try await rig.get("/n/\(number)") } }
        let ids = log.state.withLock { $0.records.map(\.id) }
        #expect(ids == Array(301...600) && ids.allSatisfy { id in log.state.withLock { $0.record(of: id)?.id } == id })
        #expect(log.entry(300) == nil && log.entry(601) == nil && log.entry(0) == nil)
        let some = log.entries(of: [599, 1, 400, 400, 700])
        #expect(some.map(\.id) == [400, 599])
        // The others were not masked for it.
        #expect(log.state.withLock { $0.records.filter { $0.masked != nil }.map(\.id) } == [400, 599])
        for rig in rigs { await rig.client.shutdown() }
    }

    @Test func aTableKeepsTheCallsOfSeveralClientsApart() throws {
        let clients = (0..<3).map { _ in LogClient() }
        var table = CallTable(), records: [CallRecord] = []
        for number in 0..<300 as Range<UInt64> {
            for client in clients {
                let event = CallEvent(call: number, endpoint: "", service: "", attempt: 0, instant: .now, kind: .started(request: ""))
                let failure = CallLog.Failure(code: "", text: "")
                records.append(CallRecord(RawCall(event, LogScope(client: client, event), failure, .zero)))
                table.insert(records[records.count - 1])
            }
        }
        #expect(table.count == 900 && records.allSatisfy { table.record($0.raw.scope.client, $0.raw.call) === $0 })
        for record in records where !record.raw.call.isMultiple(of: 3) { table.remove(record) }
        #expect(table.count == 300)
        #expect(records.allSatisfy { table.record($0.raw.scope.client, $0.raw.call) === ($0.raw.call.isMultiple(of: 3) ? $0 : nil) })
    }

    @Test func maskedCallsTakeOnlyTheMemoryThatIsLeft() async throws {
        let text = String(repeating: "0123456789", count: 500)
        for (memory, isKept) in [(40_000, false), (1_000_000, true)] {
            let log = CallLog(bodies: .first(.kib(8)), memory: .bytes(memory))
            let client = Client(transport: .stub { _ in .text(text) }, services: [.logged]) { $0.log = log }
            for number in 0..<4 { try await client.get("/n/\(number)") }
            let count = log.entries.count
            #expect(log.entries.count == count && count > 0)
            let (kept, cached) = log.state.withLock { ($0.kept, $0.cached) }
            #expect(kept + cached <= memory && (!isKept || cached > 4 * 5_000))
            // New calls matter more than what can be masked again.
            for number in 0..<60 { try await client.get("/m/\(number)") }
            #expect(log.state.withLock { $0.kept + $0.cached } <= memory)
            await client.shutdown()
        }
    }

    @Test func aClearedLogHoldsNothing() async throws {
        let rig = LogRig()
        try await rig.fly()
        #expect(!rig.log.entries.isEmpty)
        rig.log.clear()
        #expect(rig.log.state.withLock { $0.kept == 0 && $0.cached == 0 && $0.places.isEmpty })
        try await rig.get("/a")
        #expect(rig.log.state.withLock { $0.kept > 0 })
        await rig.client.shutdown()
    }

    // MARK: Streams

    private final class Chunks: ByteStreamSource {
        private let left: Watched<Int>
        init(_ count: Int) { left = Watched(count) }
        func next() async throws -> Bytes? {
            left.update { left in
                left -= 1
                return left < 0 ? nil : Bytes("0123456789")
            }
        }
    }

    @Test(arguments: [(8_000, 8_000), (1 << 20, 10_000)]) func aStreamTellsWhenItHasDoubled(limit: Int, kept: Int) async throws {
        let told = Watched<[Int]>([])
        let source = LoggedStream.wrap(ByteStream { Chunks(1_000) }, limit: limit) { body in told.update { $0.append(body.bytes?.count ?? 0) } }.makeSource()
        while try await source.next() != nil {}
        let sizes = told.value
        #expect(sizes.count < 16 && sizes.first == 10 && sizes.last == kept && sizes == sizes.sorted())
    }

    // MARK: Updates

    @Test func theChangesOfALogThatIsGoneHaveAnEnd() async throws {
        let updates: AsyncStream<CallLog.Update>
        do {
            let rig = LogRig(CallLog())
            updates = rig.log.updates
            try await rig.get("/a")
            await rig.client.shutdown()
        }
        var last: CallLog.Update?
        for await update in updates { last = update }
        #expect(last == .ended(1) || last == .changed(1))
    }
}
