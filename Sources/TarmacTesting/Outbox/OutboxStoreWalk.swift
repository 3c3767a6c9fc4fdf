#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacOutbox

/// Hundreds of operations in a random order that is the same each time. Each lease is compared with the result of a walk
/// over the first entries of all lanes.
struct OutboxStoreWalk {
    private let rig: OutboxStoreRig
    private var seed: UInt64
    private var seconds = 0.0
    private var count = 0
    /// The owners of the entries that were leased.
    private var owners: [String: String] = [:]

    init(_ rig: OutboxStoreRig, seed: UInt64) {
        self.rig = rig
        self.seed = seed
    }

    mutating func run(_ operations: Int) async throws {
        for _ in 0..<operations { try await step() }
    }

    private mutating func step() async throws {
        switch random(20) {
        case 0...5: try await append()
        case 6...11: try await lease()
        case 12...15: try await settle()
        case 16: try await rig.store.renew(owner: randomOwner(), until: rig.start + seconds + 90)
        case 17: try await release(randomOwner())
        case 18: _ = try await rig.store.revive(OutboxFilter(lane: "\(random(8))"), now: rig.start + seconds)
        default: try await remove()
        }
    }

    // MARK: Operations

    private mutating func append() async throws {
        count += 1
        var record = rig.record("\(count)", rig.lane("\(random(8))", environment: random(9) == 0 ? "test" : "production"))
        record.nextAttempt = rig.start + seconds + (random(3) == 0 ? Double(random(200)) : 0)
        if random(6) == 0 { record.expires = rig.start + seconds + Double(random(120)) }
        if random(8) == 0 { record.notBefore = rig.start + seconds + Double(random(100)) }
        _ = try await rig.store.append([record], limit: 100_000)
    }

    private mutating func lease() async throws {
        // Sometimes the clock is put back by hours.
        seconds += random(40) == 0 ? -20_000 : Double(random(30))
        let lane = random(4) == 0 ? rig.lane("\(random(8))") : nil
        let lease = rig.lease(randomOwner(), after: seconds, count: 1 + random(4), lane: lane, ignoringPauses: random(6) == 0)
        let right = Self.walk(try await rig.all(), lease)
        let leased = try await rig.store.lease(lease)
        try requireEqual(leased.records.map(\.id), right.records.map(\.id), "the leased entries")
        try requireEqual(leased.hasMore, right.hasMore, "whether more are due")
        if !right.hasMore { try requireEqual(leased.nextWake, right.nextWake, "the date of the next lease") }
        for record in leased.records { owners[record.id.rawValue] = lease.owner }
    }

    private mutating func settle() async throws {
        let ids = owners.keys.sorted()
        guard !ids.isEmpty else { return }
        let id = ids[random(ids.count)]
        let settlement: OutboxSettlement =
            switch random(5) {
            case 0: rig.postponed(until: seconds + Double(random(120)), notBefore: random(2) == 0 ? seconds + Double(random(90)) : nil)
            case 1: rig.buried(holdsLane: random(2) == 0)
            case 2: .released
            default: .sent
            }
        try await rig.settle(id, settlement, owner: owners.removeValue(forKey: id) ?? "")
    }

    private mutating func release(_ owner: String) async throws {
        try await rig.store.release(owner: owner)
        owners = owners.filter { $0.value != owner }
    }

    private mutating func remove() async throws {
        guard random(3) == 0, let record = try await rig.all().dropFirst(random(5)).first else { return }
        _ = try await rig.store.remove(rig.only(record.id.rawValue))
        owners[record.id.rawValue] = nil
    }

    // MARK: Walk

    /// Returns what a lease takes, found by a walk over the first entries of all lanes.
    private static func walk(_ records: [OutboxRecord], _ lease: OutboxLease) -> OutboxLeased {
        var lanes: Set<OutboxLane> = []
        var leased = OutboxLeased()
        for record in records where record.isInLine && record.lane.environment == lease.environment && record.lane == lease.lane ?? record.lane {
            guard lanes.insert(record.lane).inserted else { continue }
            let verdict = lease.verdict(
                on: record.state, expires: record.expires, nextAttempt: record.nextAttempt, notBefore: record.notBefore,
                leasedUntil: record.leasedUntil)
            switch verdict {
            case .held: continue
            case .wait(let date): leased.note(date)
            case .take where leased.records.count >= lease.count: leased.hasMore = true
            case .take: leased.records.append(record)
            }
        }
        return leased
    }

    // MARK: Randomness

    private mutating func randomOwner() -> String { random(2) == 0 ? "a" : "b" }

    /// Returns a number below `limit` (SplitMix64).
    private mutating func random(_ limit: Int) -> Int {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var bits = seed
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Int(truncatingIfNeeded: (bits ^ bits >> 31) >> 33) % limit
    }
}
