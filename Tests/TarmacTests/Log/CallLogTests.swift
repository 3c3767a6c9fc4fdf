import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

@Suite("Call log", .timeLimit(.minutes(5)))
struct CallLogTests {
    @Test func aSessionHasEveryRequestWithItsReason() async throws {
        let rig = LogRig()
        try await rig.fly()
        let old = try #require(rig.entry("/old"))
        #expect(old.state == .landed && old.status == 200 && old.attempts.map(\.response?.status) == [302, 200])
        #expect(old.attempts.map(\.reason) == [nil, "redirect: 302"] && old.events.map(\.kind) == [.redirect])
        #expect(old.attempts.last?.request.url == "https://api.example.com/new?page=2" && old.request?.url == "https://api.example.com/old")

        let flaky = try #require(rig.entry("/flaky"))
        #expect(flaky.attempts.map(\.response?.status) == [503, 200] && flaky.attempts.map(\.reason) == [nil, "retry: 503"])
        #expect(flaky.attempts.first?.response?.body?.text == #"{"error":"busy"}"# && flaky.response?.body?.text == #"{"n":1}"#)

        let guarded = try #require(rig.entry("/guarded"))
        #expect(guarded.attempts.map(\.response?.status) == [401, 200] && guarded.attempts.last?.reason == "new credentials")
        #expect(guarded.events.contains { $0.kind == .refresh })

        let down = try #require(rig.entry("/down")), missing = try #require(rig.entry("/missing"))
        #expect(down.state == .failed && down.failure?.code == "connectionRefused" && down.attempts.first?.failure?.code == "connectionRefused")
        #expect(down.attempts.first?.response == nil && missing.state == .failed && missing.status == 404)
        await rig.client.shutdown()
    }

    @Test func aStoredResponseHasNoAttemptAndSaysWhereItIsFrom() async throws {
        let rig = LogRig()
        try await rig.fly()
        let stored = rig.log.entries.filter { $0.request?.url.contains("/stored") == true }
        #expect(stored.map(\.source) == [.network, .cache] && stored.map(\.attempts.count) == [1, 0])
        #expect(stored.allSatisfy { $0.state == .landed && $0.response?.body?.text == #"{"n":1}"# })
        await rig.client.shutdown()
    }

    @Test func attemptsHaveTheirTimings() async throws {
        let rig = LogRig()
        try await rig.fly()
        let attempts = rig.log.entries.flatMap(\.attempts)
        #expect(!attempts.isEmpty && attempts.allSatisfy { $0.timings?.total != nil })
        #expect(rig.entry("/flaky")?.attempts.last?.timings?.isReused == true)
        await rig.client.shutdown()
    }

    @Test func aCallInFlightIsThereAndEndsInPlace() async throws {
        let rig = LogRig()
        rig.stub.hold()
        let call = Task { try await rig.get("/slow") }
        try await rig.stub.received()
        let flying = try #require(rig.log.entries.last)
        #expect(flying.state == .flying && flying.duration == nil && flying.attempts.count == 1 && flying.attempts[0].response == nil)
        rig.stub.release()
        try await call.value
        let landed = try #require(rig.log.entry(flying.id))
        #expect(landed.state == .landed && landed.duration != nil && rig.log.entries.count == 1)
        await rig.client.shutdown()
    }

    @Test func aCancelledCallIsCancelled() async throws {
        let rig = LogRig()
        rig.stub.hold()
        let call = Task { try await rig.get("/slow") }
        try await rig.stub.received()
        call.cancel()
        _ = try? await call.value
        #expect(rig.log.entries.map(\.state) == [.cancelled] && rig.log.entries[0].attempts.map(\.failure?.code) == ["cancelled"])
        await rig.client.shutdown()
    }

    @Test func aCallThatCannotBeBuiltIsThereWithItsError() async throws {
        let rig = LogRig()
        await #expect(throws: TarmacError.self) { try await rig.client.get("/users/{id}") }
        await #expect(throws: TarmacError.self) { try await rig.get("/a") { $0.headers["a\nb"] = "c" } }
        #expect(rig.log.entries.map(\.state) == [.failed, .failed] && rig.log.entries.allSatisfy { $0.request == nil && $0.attempts.isEmpty })
        #expect(rig.log.entries.allSatisfy { $0.failure?.text.isEmpty == false && $0.curl == nil })
        await rig.client.shutdown()
    }

    @Test func aFailureAfterTheResponseCorrectsTheEnd() async throws {
        let rig = LogRig()
        await #expect(throws: TarmacError.self) { _ = try await rig.client.get("/n", as: [String].self) }
        #expect(rig.log.entries.map(\.state) == [.failed] && rig.log.entries[0].status == 200)
        await rig.client.shutdown()
    }

    // MARK: Bounds

    @Test func thereAreNeverMoreThanTheLastCalls() async throws {
        let rig = LogRig(CallLog(last: 5))
        for number in 0..<200 { try await rig.get("/n/\(number)") }
        #expect(rig.log.entries.compactMap { $0.request?.url.split(separator: "/").last } == ["195", "196", "197", "198", "199"])
        #expect(rig.log.entries.map(\.id) == [196, 197, 198, 199, 200] && rig.log.entry(1) == nil)
        await rig.client.shutdown()
    }

    @Test func aCallInFlightStaysLongerThanThoseThatHaveEnded() async throws {
        let rig = LogRig(CallLog(last: 3))
        rig.stub.hold()
        let call = Task { try await rig.get("/slow") }
        try await rig.stub.received()
        rig.log.isPaused = false
        let others = (0..<5).map { number in Task { try await rig.get("/n/\(number)") } }
        try await rig.stub.received(count: 6)
        #expect(rig.log.entries.count == 3)
        rig.stub.release()
        for other in others + [call] { try await other.value }
        for number in 5..<8 { try await rig.get("/n/\(number)") }
        #expect(rig.log.entries.count == 3)
        await rig.client.shutdown()
    }

    @Test func bodiesAreBoundedOneByOneAndTogether() async throws {
        let text = String(repeating: "0123456789", count: 1_000), log = CallLog(last: 100, bodies: .first(.bytes(4_000)), memory: .bytes(20_000))
        let client = Client(transport: .stub { _ in .text(text) }, services: [Service("s", host: "https://s.example")]) { $0.log = log }
        for _ in 0..<30 { try await client.get("/text") }
        let bodies = log.entries.compactMap(\.response?.body)
        #expect(log.entries.count < 5 && !bodies.isEmpty)
        #expect(bodies.allSatisfy { $0.isTruncated && $0.size == 10_000 && ($0.text?.utf8.count ?? 0) < 4_010 })
        await client.shutdown()
    }

    @Test func withoutBodiesOnlyTheirSizesAreKept() async throws {
        let rig = LogRig(CallLog())
        try await rig.client.post("/n", body: .text("hello"))
        let entry = try #require(rig.log.entries.last)
        #expect(entry.request?.body?.text == nil && entry.request?.body?.size == 5 && entry.response?.body?.text == nil && entry.response?.body?.size == 7)
        await rig.client.shutdown()
    }

    // MARK: Control

    @Test func aPausedLogLeavesCallsOutAndAClearedOneIsEmpty() async throws {
        let rig = LogRig()
        try await rig.get("/a")
        rig.log.isPaused = true
        try await rig.get("/b")
        rig.log.isPaused = false
        try await rig.get("/c")
        #expect(rig.log.entries.compactMap { $0.request?.url.last } == ["a", "c"])
        rig.log.clear()
        #expect(rig.log.entries.isEmpty)
        await rig.client.shutdown()
    }

    @Test func anUpperLayerSwitchesTheLogOff() async throws {
        let rig = LogRig()
        try await rig.get("/a") { $0.log = .off }
        #expect(rig.log.entries.isEmpty)
        try await rig.get("/b")
        #expect(rig.log.entries.count == 1)
        await rig.client.shutdown()
    }

    @Test func withoutALogNoStageIsSeated() throws {
        let plain = Client(transport: .stub { _ in .status(.ok) }, services: [.logged]), rig = LogRig()
        func stages(_ client: Client, _ configure: (inout Options) -> Void = { _ in }) throws -> [String] {
            try client.preview(.get("/"), Options(configure)).stages.map { "\(type(of: $0))" }.filter { $0.contains("Log") }
        }
        #expect(try stages(plain) == [] && stages(rig.client) { $0.log = .off } == [])
        #expect(try stages(rig.client) == ["CallLogStage", "BodyLogStage", "WireLogStage"])
        #expect(try stages(rig.client) { $0.log = CallLog() } == ["CallLogStage", "WireLogStage"])
    }

    @Test func changesArriveWhileTheyHappen() async throws {
        let rig = LogRig()
        var updates = rig.log.updates.makeAsyncIterator()
        try await rig.get("/a")
        #expect(await updates.next() == .started(1))
        while let update = await updates.next() {
            if update == .ended(1) { break }
            #expect(update == .changed(1))
        }
        rig.log.clear()
        #expect(await updates.next() == .cleared)
        await rig.client.shutdown()
    }

    @Test func aReaderOfChangesThatIsGoneIsForgotten() async throws {
        let rig = LogRig()
        do { _ = rig.log.updates }
        try await rig.get("/a")
        #expect(rig.log.state.withLock { $0.listenerCount } == 0)
        await rig.client.shutdown()
    }

    // MARK: Filters

    @Test(arguments: [
        (CallLog.Filter(statusClass: 4), 1), (.init(state: .failed), 2), (.init(method: "get"), 7), (.init(method: "POST"), 0),
        (.init(host: "API.example.com"), 7), (.init(host: "example.com"), 0), (.init(service: "logged"), 6), (.init(text: "BUSY"), 1),
        (.init(text: "/new?page"), 1), (.init(text: "nothing listens"), 1), (.init(state: .landed, text: "max-age"), 2), (.init(), 7),
        (.init(endpoint: "GET /flaky"), 1),
    ])
    func filtersSelect(filter: CallLog.Filter, count: Int) async throws {
        let rig = LogRig()
        try await rig.fly()
        #expect(rig.log.entries(where: filter).count == count, "\(filter)")
        await rig.client.shutdown()
    }

    // MARK: Streams

    @Test func aStreamIsCopiedWhileItIsReadAndNotBefore() async throws {
        let rig = LogRig(CallLog(bodies: .first(.bytes(1_000))))
        let read = try await rig.client.stream(.get("/stream", as: Void.self)) { response in
            var chunks: [String] = []
            for try await chunk in response.body { chunks.append(String(decoding: chunk.array, as: UTF8.self)) }
            return chunks
        }
        #expect(read == ["one,", "two,", "three"])
        let entry = try #require(rig.log.entries.last)
        #expect(entry.state == .landed && entry.attempts.first?.response?.body?.text == "one,two,three" && entry.attempts.first?.response?.body?.size == 13)
        #expect(entry.response?.body?.text == "one,two,three" && entry.attempts.first?.timings != nil)
        await rig.client.shutdown()
    }

    @Test func aStreamThatIsLeftEarlyShowsWhatWasRead() async throws {
        let rig = LogRig()
        try await rig.client.stream(.get("/stream", as: Void.self)) { response in
            for try await _ in response.body { break }
        }
        let body = try #require(rig.log.entries.last?.attempts.first?.response?.body)
        #expect(body.size == nil && body.isTruncated)
        await rig.client.shutdown()
    }

    @Test func anUploadedStreamArrivesWholeAndIsCopied() async throws {
        let rig = LogRig()
        let stream = ByteStream { ListSource(["first,", "second"]) }
        try await rig.client.post("/n", body: .stream(stream, contentType: "text/plain"))
        #expect(rig.stub.requests.last?.body.buffered == Bytes("first,second"))
        #expect(rig.log.entries.last?.attempts.first?.request.body?.text == "first,second")
        await rig.client.shutdown()
    }

    // MARK: Concurrency

    @Test func aThousandCallsAtOnceAreAllThereAndInOrder() async throws {
        let log = CallLog(last: 1_000, bodies: .first(.bytes(100))), rig = LogRig(log)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 { group.addTask { try await rig.get("/n/\(number)") } }
            for _ in 0..<50 { _ = log.entries(where: .init(state: .flying)) }
            try await group.waitForAll()
        }
        let entries = log.entries
        #expect(entries.count == 1_000 && Set(entries.compactMap(\.request?.url)).count == 1_000)
        #expect(entries.map(\.id) == Array(1...1_000) && entries.allSatisfy { $0.state == .landed && $0.attempts.count == 1 && $0.status == 200 })
        await rig.client.shutdown()
    }

    @Test func twoClientsOfOneLogKeepTheirCallsApart() async throws {
        let log = CallLog(bodies: .none), one = LogRig(log), other = LogRig(log)
        for _ in 0..<3 {
            try await one.get("/one")
            _ = try? await other.get("/down") { $0.retry = .never }
        }
        #expect(log.entries.map(\.state) == [.landed, .failed, .landed, .failed, .landed, .failed])
        await one.client.shutdown()
        await other.client.shutdown()
    }

    @Test func aLogThatNobodyHoldsIsGone() async throws {
        weak var gone: CallLog?
        do {
            let log = CallLog(bodies: .first(.kib(1))), rig = LogRig(log)
            gone = log
            try await rig.fly()
            #expect(log.entries.count == 7)
            await rig.client.shutdown()
        }
        for _ in 0..<1_000 where gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test func theLogKeepsNothingOfAClientThatIsGone() async throws {
        let log = CallLog()
        weak var engine: Engine?
        do {
            let rig = LogRig(log)
            engine = rig.client.engine
            try await rig.fly()
            await rig.client.shutdown()
        }
        for _ in 0..<1_000 where engine != nil { await Task.yield() }
        #expect(engine == nil && log.entries.count == 7)
    }
}

private final class ListSource: ByteStreamSource {
    private let rest: Watched<[String]>

    init(_ chunks: [String]) { rest = Watched(chunks) }

    func next() async throws -> Bytes? { rest.update { $0.isEmpty ? nil : Bytes($0.removeFirst()) } }
}
