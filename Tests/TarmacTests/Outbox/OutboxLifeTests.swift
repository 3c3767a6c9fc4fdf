#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// Who is told what, and what is left when it ends (laws 1 and 8).
@Suite(.timeLimit(.minutes(5))) struct OutboxLifeTests {
    private func name(_ kind: OutboxChange.Kind) -> String { String("\(kind)".prefix { $0 != "(" }) }

    @Test func aWaiterOfAnOutboxThatNeverStartedIsReleasedAtItsEnd() async throws {
        let rig = try OutboxRig()
        async let idle: Void = rig.outbox.waitUntilIdle()
        for _ in 0..<100 { await Task.yield() }
        await rig.outbox.shutdown()
        await idle
    }

    /// A database would end the text there: Mallory's change would be Ann's.
    @Test func aPrincipalWithTheCharacterNULIsRefused() async throws {
        let rig = try OutboxRig()
        let error = await failure { try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.principal = "ann\0mallory" } }
        #expect(error?.code == .invalidOption)
        #expect(try await rig.outbox.entries().isEmpty)
    }

    // MARK: Changes

    @Test func changesTellTheWholeStory() async throws {
        let rig = try OutboxRig([.status(503), .status(422)])
        let changes = rig.outbox.changes
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        var story: [String] = []
        for await change in changes {
            #expect(change.id == id)
            #expect(change.lane?.name == "main")
            story.append(name(change.kind))
            switch change.kind {
            case .postponed: rig.time.advance(by: .seconds(300))
            case .buried: try await rig.outbox.edit(id) { $0.body = Bytes("{}") }
            case .edited: try await rig.outbox.resend()
            default: break
            }
            if case .sent(let answer) = change.kind {
                #expect(answer.status == .ok)
                break
            }
        }
        #expect(story == ["enqueued", "sending", "postponed", "sending", "buried", "edited", "resent", "sending", "sent"])
    }

    @Test func everyConsumerIsTold() async throws {
        let rig = try OutboxRig()
        let one = rig.outbox.changes, other = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        for changes in [one, other] { #expect(await changes.next { $0.isFinal } != nil) }
    }

    private func change(_ kind: OutboxChange.Kind, _ number: Int = 0) -> OutboxChange {
        OutboxChange(id: OutboxEntry.ID(rawValue: "\(number)"), lane: nil, kind: kind)
    }

    @Test func slowConsumerLosesNoFinalChange() async throws {
        let queue = OutboxChangeQueue(OutboxChangeQueue.Limits(passing: 16, final: 1_000))
        for number in 0..<1_000 {
            for attempt in 1...3 { queue.add(change(.sending(attempt: attempt), number)) }
            queue.add(change(.dropped, number))
        }
        queue.end()
        var finals: [String] = [], passing = 0
        while let next = await queue.next() {
            if next.kind.isFinal { finals.append(next.id?.rawValue ?? "") } else { passing += 1 }
        }
        #expect(finals == (0..<1_000).map { "\($0)" })
        #expect((1...16).contains(passing))
    }

    @Test func whatIsNotKeptIsSaid() async throws {
        let queue = OutboxChangeQueue(OutboxChangeQueue.Limits(passing: 4, final: 16))
        for number in 0..<100 { queue.add(change(.dropped, number)) }
        queue.end()
        guard case .missed(let count)? = await queue.next()?.kind else { return #expect(Bool(false), "nothing is said") }
        var kept = 0
        while await queue.next() != nil { kept += 1 }
        #expect(kept <= 16)
        #expect(count + kept == 100)
    }

    @Test func aCancelledReaderTakesNoPlace() async throws {
        let queue = OutboxChangeQueue(OutboxChangeQueue.Limits(passing: 4, final: 16))
        let reader = Task { await queue.next() }
        // It waits by then, or comes later and finds the change.
        for _ in 0..<50 { await Task.yield() }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await queue.next()
        }
        #expect(await cancelled.value == nil)
        queue.add(change(.dropped, 7))
        #expect(await reader.value?.id?.rawValue == "7")
    }

    @Test func aSlowConsumerIsToldTheLatestProgressOfEachEntry() async throws {
        let queue = OutboxChangeQueue(OutboxChangeQueue.Limits(passing: 16, final: 16))
        func add(_ kind: OutboxChange.Kind, _ id: String) {
            queue.add(OutboxChange(id: OutboxEntry.ID(rawValue: id), lane: nil, kind: kind))
        }
        for id in ["a", "b"] { add(.sending(attempt: 1), id) }
        for sent in 1...1_000 {
            for id in ["a", "b"] { add(.progress(TransferProgress(sent: Int64(sent))), id) }
        }
        add(.sending(attempt: 2), "a")
        for sent in 1...10 { add(.progress(TransferProgress(sent: Int64(sent))), "a") }
        add(.dropped, "a")
        queue.end()
        var story: [String] = []
        while let change = await queue.next() {
            let id = change.id?.rawValue ?? ""
            switch change.kind {
            case .sending(let attempt): story.append("\(id) sending \(attempt)")
            case .progress(let progress): story.append("\(id) \(progress.sent)")
            default: story.append("\(id) end")
            }
        }
        #expect(story == ["a sending 1", "b sending 1", "a 1000", "b 1000", "a sending 2", "a 10", "a end"])
    }

    @Test func cancelledConsumerEnds() async throws {
        let rig = try OutboxRig()
        let changes = rig.outbox.changes
        let consumer = Task { await changes.next { _ in true } }
        consumer.cancel()
        #expect(await consumer.value == nil)
    }

    // MARK: Outcomes

    @Test func outcomeCanBeAwaitedBeforeAndAfter() async throws {
        let rig = try OutboxRig([.status(201), .status(422)])
        let sent = try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        async let early = rig.outbox.outcome(of: sent)
        rig.outbox.start()
        guard case .sent(let answer) = try await early else { return #expect(Bool(false)) }
        #expect(answer.status == .created)
        guard case .sent = try await rig.outbox.outcome(of: sent) else { return #expect(Bool(false)) }
        let refused = try await rig.outbox.enqueue(CreateOrder(number: 2))
        guard case .buried(let failure) = try await rig.outbox.outcome(of: refused) else { return #expect(Bool(false)) }
        #expect(failure.status == 422)
        // A dead letter that is re-sent has its end before it.
        try await rig.outbox.resend()
        guard case .sent = try await rig.outbox.outcome(of: refused) else { return #expect(Bool(false)) }
    }

    @Test func droppedEntryHasAnOutcome() async throws {
        let rig = try OutboxRig()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        async let outcome = rig.outbox.outcome(of: id)
        #expect(try await rig.outbox.drop(OutboxFilter(ids: [id])) == 1)
        guard case .dropped = try await outcome else { return #expect(Bool(false)) }
    }

    @Test func entrySentElsewhereHasAnOutcome() async throws {
        let store = MemoryOutboxStore()
        let rig = try OutboxRig(store: store), other = try OutboxRig(store: store, seed: 6)
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        other.outbox.start()
        await other.outbox.waitUntilIdle()
        guard case .settledElsewhere = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false)) }
        // Also for one who has waited since before.
        let later = try await rig.outbox.enqueue(CreateOrder(number: 2))
        rig.outbox.pause()
        rig.outbox.start()
        let hasEnded = Watched(false)
        let waiter = Task {
            defer { hasEnded.update { $0 = true } }
            return try await rig.outbox.outcome(of: later)
        }
        other.outbox.wake()
        await other.outbox.waitUntilIdle()
        try await rig.time.hasSleepers()
        // The task may begin to wait behind the first look at the store.
        await eventually {
            rig.time.advance(by: .seconds(61))
            return hasEnded.value
        }
        guard case .settledElsewhere = try await waiter.value else { return #expect(Bool(false)) }
    }

    @Test func cancelledWaitEndsAndTheEntryGoesOn() async throws {
        let rig = try OutboxRig()
        rig.stub.hold()
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        let waiter = Task { try await rig.outbox.outcome(of: id) }
        try await rig.stub.received()
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        rig.stub.release()
        await rig.outbox.waitUntilIdle()
        #expect(try await rig.stored().isEmpty)
    }

    // MARK: Ends

    @Test func shutdownLetsWhatIsInFlightEnd() async throws {
        let rig = try OutboxRig()
        rig.stub.hold()
        rig.outbox.start()
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 1), CreateOrder(number: 2)])
        try await rig.stub.received()
        async let end: Void = rig.outbox.shutdown()
        rig.stub.release()
        await end
        #expect(rig.numbers == [1])
        let left = try await rig.stored()
        #expect(left.count == 1)
        #expect(left.first?.isLeased == false)
    }

    @Test func shutdownCancelsAfterItsGraceAndKeepsTheEntry() async throws {
        let rig = try OutboxRig()
        rig.stub.hold()
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received()
        let shutdown = Task { await rig.outbox.shutdown(grace: .seconds(5)) }
        // One more than the deadlines of the call and of the outbox.
        await eventually { rig.time.nextDeadline.map { $0 <= .seconds(5) } ?? false }
        rig.time.advance(by: .seconds(5))
        await shutdown.value
        let left = try await rig.stored()
        #expect(left.count == 1)
        #expect(left.first?.isLeased == false)
        #expect(left.first?.attempts == 0)
    }

    @Test func endOfTheClientStopsItAndLosesNothing() async throws {
        let rig = try OutboxRig()
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        await rig.client.shutdown()
        rig.outbox.start()
        #expect(await changes.next { if case .stopped = $0 { true } else { false } } != nil)
        await rig.outbox.shutdown()
        #expect(try await rig.stored().count == 1)
        #expect(try await rig.stored().first?.isLeased == false)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test func droppedOutboxLeavesNothingBehind() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let store = MemoryOutboxStore()
        let client = Client(transport: .stub(stub), services: [OutboxRig.shop])
        weak var core: OutboxCore?
        var changes: OutboxChanges?
        stub.hold()
        do {
            let outbox = try Outbox(client: client, store: store)
            core = outbox.core
            changes = outbox.changes
            outbox.start()
            try await outbox.enqueue(CreateOrder(number: 1))
            try await stub.received()
        }
        // Its sequences end, what was in flight is cancelled and stays stored, and nothing of it runs.
        while await changes?.makeAsyncIterator().queue.next() != nil {}
        changes = nil
        await eventually { core == nil }
        #expect(store.records(.all, limit: 10).map(\.leasedUntil) == [nil])
        await client.shutdown()
    }

    @Test func failingStoreIsToldAndTriedAgain() async throws {
        let store = FlakyStore()
        let rig = try OutboxRig(store: store)
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        store.failures.withLock { $0 = 1 }
        rig.outbox.start()
        #expect(await changes.next { if case .storeFailed = $0 { true } else { false } } != nil)
        try await rig.time.hasSleepers()
        rig.time.advance(by: .seconds(1))
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        store.failures.withLock { $0 = 1 }
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(CreateOrder(number: 2)) }
        #expect(error?.code == .storeFailed)
    }

    @Test func settlementThatFailsOnceIsWrittenDownAfterAll() async throws {
        let store = FlakyStore()
        let rig = try OutboxRig(store: store)
        let changes = rig.outbox.changes
        rig.stub.hold()
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received()
        store.failures.withLock { $0 = 1 }
        rig.stub.release()
        #expect(await changes.next { if case .storeFailed = $0 { true } else { false } } != nil)
        try await eventually(trying: {
            rig.time.advance(by: .milliseconds(100))
            return try await rig.stored().isEmpty
        })
        #expect(rig.numbers == [1])
    }

    /// The attempts of a worker are used up after three; what comes later is up to the looks at the store.
    @Test(.timeLimit(.minutes(5)), arguments: [3, 5])
    func laneThatCouldNotBeSettledGoesOnThoughOthersAreBusy(refusals: Int) async throws {
        let gate = Watched(false), store = FlakyStore()
        let rig = try OutboxRig([.waits(gate)], store: store, service: .patient) { $0.attemptTime = .unlimited }
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 9), lane: "busy")
        try await rig.stub.received()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value("1") }
        store.refusals.withLock { $0[id] = refusals }
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        try await gone(id, rig)
        guard case .sent = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it is not told") }
        try await rig.stub.received(count: 3)
        #expect(rig.numbers == [9, 1, 2])
        gate.update { $0 = true }
        await rig.outbox.waitUntilIdle()
        #expect(try await rig.stored().isEmpty)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [-172_800, -3_600, 61, 86_400] as [Double], [5, 6])
    func laneThatCouldNotBeSettledGoesOnAfterTheClockHasJumped(jump: Double, refusals: Int) async throws {
        let store = FlakyStore(), rig = try OutboxRig(store: store, service: .patient) { $0.attemptTime = .unlimited }
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        store.refusals.withLock { $0[id] = refusals }
        rig.outbox.start()
        try await pass(rig) { store.refused.withLock { $0 } < 3 }
        rig.time.setDate(rig.time.date + jump)
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        try await gone(id, rig)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 2])
    }

    /// Longer than a lease lasts.
    @Test(.timeLimit(.minutes(5))) func whatArrivedIsNotSentAgainHoweverLongTheStoreRefuses() async throws {
        let store = FlakyStore()
        let rig = try OutboxRig(store: store, service: .patient) { $0.attemptTime = .unlimited }
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        store.refusals.withLock { $0[id] = 20 }
        rig.outbox.start()
        try await gone(id, rig)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
    }

    /// What is only in memory is bounded: beyond that nothing is sent which the store could not keep.
    @Test(.timeLimit(.minutes(5))) func storeThatRefusesForLongIsNotSentForWithoutEnd() async throws {
        let store = FlakyStore(), most = 64
        let rig = try OutboxRig(store: store, service: .patient) { $0.attemptTime = .unlimited }
        store.refusesAll.withLock { $0 = true }
        for number in 0..<most {
            let sent = OutboxRecord(
                id: OutboxEntry.ID(rawValue: "\(number)"), lane: OutboxLane(service: "shop", environment: "production", name: "\(number)"), fingerprint: "",
                payload: .empty, isSealed: false, created: rig.time.date)
            rig.outbox.core.keep(AttemptReport(sent, .sent))
        }
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        // A few looks.
        try await pass(rig) { store.refused.withLock { $0 } < most * 3 }
        #expect(rig.numbers.isEmpty)
        store.refusesAll.withLock { $0 = false }
        try await pass(rig) { try await !rig.stored().isEmpty }
        #expect(rig.numbers == [1])
    }

    /// Lets the pauses before further tries go by, one by one, until the entry is settled.
    private func gone(_ id: OutboxEntry.ID, _ rig: OutboxRig) async throws {
        try await pass(rig) { try await rig.outbox.entry(id) != nil }
    }

    private func pass(_ rig: OutboxRig, while isMeant: () async throws -> Bool) async throws {
        try await eventually(trying: {
            // Not much more than the pause of 10 s, which a date may round up: leases must not run out.
            if let next = rig.time.nextDeadline, next <= .seconds(11) { rig.time.advance(by: next) }
            return try await !isMeant()
        })
    }
}

extension Service {
    /// Without a time limit that a test which moves the time could run into.
    fileprivate static let patient = Service("shop", hosts: [.production: "https://api.shop.example"]) {
        $0.timeout = .unlimited
        $0.idleTimeout = .unlimited
        $0.connectTimeout = .unlimited
    }
}
