#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// The outbox's loop over very many entries.
@Suite struct OutboxManyLanesTests {
    /// Each entry has a lane and so a worker of its own. They have expired, so no request is sent and a debug build takes seconds.
    @Test(.heavy) func aHundredThousandEntriesLeaveNoFinishedWorker() async throws {
        let store = ManyLanesStore(count: 100_000)
        let rig = try OutboxRig(store: store) { $0.lanesAtOnce = 4 }
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(store.settled == 100_000)
        #expect(rig.outbox.core.workers.mostKept == 4)
        #expect(rig.outbox.core.workers.kept == 0)
    }
}

/// A store that gets entries only when the outbox asks for some, so that no lease has to look through 100,000 lanes.
private final class ManyLanesStore: OutboxStore {
    private struct Counts {
        var made = 0
        var settled = 0
    }
    private let count: Int
    private let memory = MemoryOutboxStore()
    private let counts = Locked(Counts())

    init(count: Int) { self.count = count }

    /// How many entries have been settled by the outbox that held them.
    var settled: Int { counts.withLock { $0.settled } }
    var isDurable: Bool { false }

    func lease(_ lease: OutboxLease) throws -> OutboxLeased {
        // No lane has a second entry.
        if lease.lane != nil { return OutboxLeased() }
        let numbers = counts.withLock { counts in
            defer { counts.made = min(counts.made + lease.count, count) }
            return counts.made..<min(counts.made + lease.count, count)
        }
        _ = try memory.append(numbers.map { record($0, for: lease) }, known: [], limit: .max)
        var leased = memory.lease(lease)
        leased.hasMore = numbers.upperBound < count
        return leased
    }

    private func record(_ number: Int, for lease: OutboxLease) -> OutboxRecord {
        OutboxRecord(
            id: OutboxEntry.ID(rawValue: "\(number)"), lane: OutboxLane(service: "shop", environment: lease.environment, name: "\(number)"),
            fingerprint: "\(number)", payload: .empty, isSealed: false, created: lease.now, expires: lease.now)
    }

    func settle(
        _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
    ) -> (isOwners: Bool, OutboxLeased) {
        let (isOwners, _) = memory.settle(id, as: settlement, owner: owner, then: nil)
        if isOwners { counts.withLock { $0.settled += 1 } }
        return (isOwners, OutboxLeased())
    }

    func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) throws -> OutboxAppended {
        try memory.append(records, known: known, limit: limit)
    }
    func renew(owner: String, until: Date) { memory.renew(owner: owner, until: until) }
    func release(owner: String) { memory.release(owner: owner) }
    func records(_ filter: OutboxFilter, limit: Int) -> [OutboxRecord] { memory.records(filter, limit: limit) }
    func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) throws -> Bool {
        try memory.replace(id, payload: payload, isSealed: isSealed, fingerprint: fingerprint, now: now)
    }
    func revive(_ filter: OutboxFilter, now: Date) -> [OutboxRecord] { memory.revive(filter, now: now) }
    func remove(_ filter: OutboxFilter) -> [OutboxRecord] { memory.remove(filter) }
}
