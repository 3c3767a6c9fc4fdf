#if Tools
import Foundation
import MetricsTestKit
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacSQLite
import TarmacSupport
import TarmacTelemetry
import TarmacTesting
import Testing

@testable import TarmacOutbox

/// The metrics of an outbox whose entries go to a server.
@Suite("Metrics of an outbox", .timeLimit(.minutes(1)))
struct OutboxMetricTests {
    private let metrics = TestMetrics()

    private func entries(_ state: String, in metrics: TestMetrics? = nil) -> Double? {
        (metrics ?? self.metrics).meters.first { $0.label == "tarmac.outbox.entries" && $0.dimensions.contains { $0 == ("tarmac.state", state) } }?.lastValue
    }

    private var oldestAge: Double? { metrics.meters.first { $0.label == "tarmac.outbox.oldest_age" }?.lastValue }

    /// A server that accepts `/ok`, refuses `/no`, and does not answer `/never`.
    private func server() async throws -> NIORawServer {
        try await NIORawServer { request in
            switch request.head.split(separator: " ").dropFirst().first {
            case "/ok": [ok]
            case "/no": [.send("HTTP/1.1 422 Unprocessable Content\r\nContent-Length: 0\r\n\r\n")]
            default: []
            }
        }
    }

    private func client(_ server: NIORawServer, telemetry: Telemetry? = nil) throws -> Client {
        Client(transport: .asyncHTTPClient, services: [Service("s", host: "\(try server.url())")]) {
            $0.telemetry = telemetry ?? Telemetry(metrics: metrics)
        }
    }

    private func temporary() -> String { FileManager.default.temporaryDirectory.path + "/tarmac-\(UInt64.random(in: .min ... .max)).db" }

    @Test func entriesAreCountedByTheirStates() async throws {
        let server = try await server(), client = try client(server)
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        outbox.start()
        for path in ["never", "ok", "ok"] { try await outbox.enqueue(.post("/\(path)"), lane: "a") }
        try await outbox.enqueue(.post("/no"), lane: "b")
        try await outbox.enqueue(.post("/ok"), lane: "c")
        await eventually { entries("waiting") == 2 && entries("inFlight") == 1 && entries("dead") == 1 }
        try await outbox.drop(OutboxFilter(lane: "a"))
        #expect(try await outbox.resend() == 1)
        await eventually { entries("waiting") == 0 && entries("inFlight") == 0 && entries("dead") == 1 }
        try await outbox.drop(.deadLetters)
        await eventually { entries("dead") == 0 && oldestAge == 0 }
        try await outbox.enqueue(.post("/never"))
        await eventually { entries("inFlight") == 1 }
        await outbox.shutdown(grace: .zero)
        // The metrics of an outbox that has ended are those of none.
        #expect([entries("waiting"), entries("inFlight"), entries("dead"), oldestAge] == [0, 0, 0, 0])
        await client.shutdown()
    }

    @Test func aRelaunchShowsWhatTheStoreHas() async throws {
        let server = try await server(), path = temporary()
        defer { for end in ["", "-wal", "-shm", "-lock", "-outbox"] { try? FileManager.default.removeItem(atPath: path + end) } }
        do {
            let client = try client(server, telemetry: .off), database = try SQLiteDatabase(path: path)
            let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
            outbox.start()
            try await outbox.enqueue(.post("/no"), lane: "b")
            await eventually { server.seen.requests.count == 1 }
            await outbox.waitUntilIdle()
            outbox.pause()
            for _ in 0..<3 { try await outbox.enqueue(.post("/ok")) }
            await outbox.shutdown()
            await client.shutdown()
            try database.close()
        }
        #expect(metrics.meters.isEmpty)
        let client = try client(server)
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
        outbox.pause()
        outbox.start()
        await eventually { entries("waiting") == 3 && entries("dead") == 1 }
        #expect((oldestAge ?? 0) > 0 && server.seen.requests.count == 1)
        outbox.resume()
        await eventually { entries("waiting") == 0 && entries("inFlight") == 0 && oldestAge == 0 }
        await outbox.shutdown()
        await client.shutdown()
    }

    @Test func outboxesCountTogetherUntilOneEnds() async throws {
        let server = try await server(), client = try client(server)
        let outboxes = try (0..<2).map { _ in try Outbox(client: client, store: MemoryOutboxStore()) }
        for outbox in outboxes { try await outbox.enqueue(contentsOf: [.post("/ok"), .post("/ok")]) }
        await eventually { entries("waiting") == 4 }
        await outboxes[0].shutdown()
        #expect(entries("waiting") == 2)
        await client.shutdown()
    }

    @Test func anotherTelemetryOfTheClientTakesTheCountOver() async throws {
        let server = try await server(), client = try client(server), other = TestMetrics()
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        try await outbox.enqueue(.post("/ok"))
        await eventually { entries("waiting") == 1 }
        client.options.telemetry = Telemetry(metrics: other)
        try await outbox.enqueue(.post("/ok"))
        await eventually { entries("waiting", in: other) == 2 }
        #expect(entries("waiting") == 0)
        client.options.telemetry = .off
        try await outbox.enqueue(.post("/ok"))
        await eventually { entries("waiting", in: other) == 0 }
        await client.shutdown()
    }

    /// However many changes there are, the store counts once in each pause, and never for a client without metrics.
    @Test func theStoreCountsRarely() async throws {
        let time = ManualTime(), stub = StubTransport { _ in .status(.ok) }
        for telemetry in [Telemetry(metrics: metrics), .off] {
            let store = TallyStore(), isOn = telemetry.description != "off"
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://shop.example")], time: time) { $0.telemetry = telemetry }
            let outbox = try Outbox(client: client, store: store)
            for number in 0..<50 {
                try await outbox.enqueue(.post("/orders"), lane: "\(number)")
                if number == 0, isOn { await eventually { entries("waiting") == 1 } }
            }
            #expect(store.tallies.value == (isOn ? 1 : 0))
            time.advance(by: OutboxGaugePlan.pause)
            if isOn { await eventually { entries("waiting") == 50 } }
            #expect(store.tallies.value == (isOn ? 2 : 0))
            await outbox.shutdown()
        }
    }

    @Test func aStoreThatCannotCountHasNoSuchMetric() async throws {
        let server = try await server(), client = try client(server)
        let outbox = try Outbox(client: client, store: PlainStore())
        outbox.start()
        try await outbox.enqueue(.post("/ok"))
        await eventually { server.seen.requests.count == 1 }
        await outbox.waitUntilIdle()
        #expect(!metrics.meters.contains { $0.label.hasPrefix("tarmac.outbox") })
        await outbox.shutdown()
        await client.shutdown()
    }

    // MARK: When

    private let start = Moment.now

    private func moment(_ milliseconds: Int) -> Moment { start + .milliseconds(milliseconds) }

    @Test func aPlanCountsAtOnceAndThenOnceInEachPause() {
        var plan = OutboxGaugePlan()
        #expect(plan.note(at: moment(0)) == .count)
        #expect(plan.note(at: moment(100)) == nil && plan.wake() == nil)
        // Something has changed during the count.
        #expect(plan.noteCounted(at: moment(200)) == .wait(until: moment(1_200)))
        #expect(plan.note(at: moment(300)) == nil)
        #expect(plan.wake() == .count && plan.noteCounted(at: moment(1_300)) == nil)
        #expect(plan.note(at: moment(2_000)) == .wait(until: moment(2_300)))
        #expect(plan.wake() == .count && plan.noteCounted(at: moment(2_400)) == nil)
        #expect(plan.note(at: moment(9_000)) == .count)
    }

    @Test func aPlanEndsOnceAndBehindTheCountInProgress() {
        var plan = OutboxGaugePlan()
        #expect(plan.note(at: moment(0)) == .count && plan.stop() == nil)
        #expect(plan.noteCounted(at: moment(1_000)) == .end)
        #expect(plan.stop() == nil && plan.note(at: moment(9_000)) == nil && plan.wake() == nil)
        var waiting = OutboxGaugePlan()
        #expect(waiting.note(at: moment(0)) == .count && waiting.noteCounted(at: moment(0)) == nil)
        #expect(waiting.note(at: moment(500)) == .wait(until: moment(1_000)) && waiting.stop() == .end && waiting.wake() == nil)
    }
}

/// A store that is not one of Tarmac's own, and cannot count.
private protocol WrappedStore: OutboxStore { var memory: MemoryOutboxStore { get } }

extension WrappedStore {
    var isDurable: Bool { false }

    func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended {
        try memory.append(records, known: known, limit: limit)
    }
    func lease(_ lease: OutboxLease) async throws -> OutboxLeased { memory.lease(lease) }
    func settle(
        _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
    ) async throws -> (isOwners: Bool, OutboxLeased) { memory.settle(id, as: settlement, owner: owner, then: lease) }
    func renew(owner: String, until: Date) async throws { memory.renew(owner: owner, until: until) }
    func release(owner: String) async throws { memory.release(owner: owner) }
    func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord] { memory.records(filter, limit: limit) }
    func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool {
        try memory.replace(id, payload: payload, isSealed: isSealed, fingerprint: fingerprint, now: now)
    }
    func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord] { memory.revive(filter, now: now) }
    func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord] { memory.remove(filter) }
}

private struct PlainStore: WrappedStore { let memory = MemoryOutboxStore() }

/// A store that notes how often it counts.
private struct TallyStore: WrappedStore, CountedOutboxStore {
    let memory = MemoryOutboxStore(), tallies = Watched(0)

    func tally(at now: Date) async throws -> OutboxTally {
        tallies.update { $0 += 1 }
        return memory.tally(at: now)
    }
}
#endif
