#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
@_spi(TarmacRooms) public import TarmacCore

/// A store that keeps entries in memory: for tests, and where their loss at the end of the process does no harm.
public final class MemoryOutboxStore: OutboxStore {
    fileprivate struct State {
        /// The records by number, in the order they were stored.
        var records: [Int: OutboxRecord] = [:]
        var numbers: [OutboxEntry.ID: Int] = [:]
        var fingerprints: [String: OutboxEntry.ID] = [:]
        /// The numbers of the entries that are in line, in order.
        var lines: [OutboxLane: [Int]] = [:]
        /// The first numbers of the lines, by environment.
        var schedules: [ExactText: OutboxSchedule] = [:]
        /// The number of first entries that were judged for leases.
        var judged = 0
        var owners: [OutboxEntry.ID: String] = [:]
        var next = 0
    }
    private let state = Locked(State())
    public let bodyFolder: String?

    /// - Parameter bodyFolder: The folder for bodies larger than ``OutboxRule/maximumBodySize``; see
    ///   ``OutboxStore/bodyFolder``. Default: none.
    public init(bodyFolder: String? = nil) { self.bodyFolder = bodyFolder }

    public var isDurable: Bool { false }

    /// The number of entries that were judged for leases so far.
    var judgedCount: Int { state.withLock { $0.judged } }

    public func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) throws -> OutboxAppended {
        try state.withLock { state in
            let fingerprints = Set(records.map(\.fingerprint))
            let there = fingerprints.compactMap { state.fingerprints[$0] }
            let met = there.filter { !known.contains($0) }.compactMap { state[$0] }
            if !met.isEmpty { return .met(met) }
            let new = fingerprints.count - there.count
            guard new == 0 || state.records.count + new <= limit else { throw TarmacError.outboxFull(limit) }
            return .stored(records.map { state.standIn(for: $0) })
        }
    }

    public func lease(_ lease: OutboxLease) -> OutboxLeased { state.withLock { $0.take(lease) } }

    public func settle(
        _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
    ) -> (isOwners: Bool, OutboxLeased) {
        state.withLock { state in
            let isOwners = state.owners[id] == owner
            if isOwners, let record = state[id] {
                state.owners[id] = nil
                state.replace(record, by: record.settled(settlement))
            }
            return (isOwners, lease.map { state.take($0) } ?? OutboxLeased())
        }
    }

    public func renew(owner: String, until: Date) {
        state.withLock { state in
            for (id, holder) in state.owners where holder == owner { state.setLease(of: id, until: until) }
        }
    }

    public func release(owner: String) {
        state.withLock { state in
            for (id, holder) in state.owners where holder == owner {
                state.owners[id] = nil
                state.noteLostAnswer(of: id)
                state.setLease(of: id, until: nil)
            }
        }
    }

    public func records(_ filter: OutboxFilter, limit: Int) -> [OutboxRecord] {
        state.withLock { Array($0.matching(filter).prefix(max(limit, 0))) }
    }

    public func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) throws -> Bool {
        try state.withLock { state in
            guard var record = state[id], record.isFree(at: now) else { return false }
            if let other = state.fingerprints[fingerprint], other != id { throw TarmacError.outboxKeyTaken }
            state.fingerprints[record.fingerprint] = nil
            state.fingerprints[fingerprint] = id
            record.payload = payload
            record.isSealed = isSealed
            record.fingerprint = fingerprint
            record.arrivals = 0
            if let number = state.numbers[id] { state.records[number] = record }
            state.owners[id] = nil
            state.setLease(of: id, until: nil)
            return true
        }
    }

    public func revive(_ filter: OutboxFilter, now: Date) -> [OutboxRecord] {
        state.withLock { state in
            let meant = state.matching(filter).filter { $0.isFree(at: now) }
            for record in meant { state.replace(record, by: record.revived(at: now)) }
            return meant
        }
    }

    public func remove(_ filter: OutboxFilter) -> [OutboxRecord] {
        state.withLock { state in
            let meant = state.matching(filter)
            for record in meant { state.replace(record, by: nil) }
            return meant
        }
    }
}

extension MemoryOutboxStore: CountedOutboxStore {
    package func tally(at now: Date) -> OutboxTally {
        state.withLock { state in
            let open = state.records.values.lazy.filter { $0.state == .waiting }
            let leased = state.owners.keys.count { id in state[id].map { $0.state == .waiting && !$0.isFree(at: now) } ?? false }
            return OutboxTally(
                open: open.count, leased: leased, dead: state.records.count - open.count, oldest: open.map(\.created).min())
        }
    }
}

extension OutboxRecord {
    /// Whether the entry has no lease that is valid at a date.
    public func isFree(at now: Date) -> Bool {
        guard let leasedUntil else { return true }
        return leasedUntil <= now || leasedUntil > now + OutboxLease.longest / .seconds(1)
    }
}

extension TarmacError {
    /// Returns the error for a store that would hold more entries than its limit.
    public static func outboxFull(_ limit: Int) -> TarmacError {
        TarmacError(
            .outboxFull, "the outbox holds all of the \(limit) entries it may", suggestion: "send or drop dead letters, or raise maximumEntries")
    }

    /// The error for a store that has another entry under the key.
    public static var outboxKeyTaken: TarmacError {
        TarmacError(.invalidOption, "another entry of the lane has the same idempotency key", suggestion: "give each mutation a key of its own")
    }
}

extension MemoryOutboxStore.State {
    fileprivate subscript(id: OutboxEntry.ID) -> OutboxRecord? { numbers[id].flatMap { records[$0] } }

    fileprivate mutating func insert(_ record: OutboxRecord) {
        records[next] = record
        numbers[record.id] = next
        fingerprints[record.fingerprint] = record.id
        let number = next
        if record.isInLine { changeLine(of: record.lane) { $0.append(number) } }
        next += 1
    }

    fileprivate mutating func setLease(of id: OutboxEntry.ID, until: Date?) {
        guard let number = numbers[id], let lane = records[number]?.lane else { return }
        records[number]?.leasedUntil = until
        schedules[ExactText(lane.environment)]?.noteChange(of: number)
    }

    /// Notes that the request of an owner that has not settled the entry may have arrived.
    fileprivate mutating func noteLostAnswer(of id: OutboxEntry.ID) {
        guard let number = numbers[id], let arrivals = records[number]?.arrivals else { return }
        records[number]?.arrivals = max(arrivals, 1)
        records[number]?.failure = nil
    }

    /// Changes a line, and the schedule if its first entry is another one then.
    private mutating func changeLine(of lane: OutboxLane, _ change: (inout [Int]) -> Void) {
        let before = lines[lane]?.first
        change(&lines[lane, default: []])
        let first = lines[lane]?.first
        if first == nil { lines[lane] = nil }
        guard before != first else { return }
        if let before { schedules[ExactText(lane.environment)]?.remove(before) }
        if let first { schedules[ExactText(lane.environment), default: OutboxSchedule()].add(first) }
    }

    /// Returns the ID of the entry with the same fingerprint, inserting the record if there is none.
    fileprivate mutating func standIn(for record: OutboxRecord) -> OutboxEntry.ID {
        if let there = fingerprints[record.fingerprint] { return there }
        insert(record)
        return record.id
    }

    fileprivate func matching(_ filter: OutboxFilter) -> [OutboxRecord] {
        if let ids = filter.ids { return ids.compactMap { numbers[$0] }.sorted().compactMap { records[$0] }.filter(filter.matches) }
        return records.filter { filter.matches($0.value) }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Changes or removes a record, and keeps the lines in order.
    fileprivate mutating func replace(_ old: OutboxRecord, by new: OutboxRecord?) {
        guard let number = numbers[old.id] else { return }
        records[number] = new
        if new == nil {
            numbers[old.id] = nil
            fingerprints[old.fingerprint] = nil
            owners[old.id] = nil
        }
        let isInLine = new?.isInLine ?? false
        if old.isInLine != isInLine {
            changeLine(of: old.lane) { line in
                let place = line.firstIndex { $0 >= number } ?? line.endIndex
                if isInLine { line.insert(number, at: place) } else if place < line.endIndex { line.remove(at: place) }
            }
        }
        schedules[ExactText(old.lane.environment)]?.noteChange(of: number)
    }

    fileprivate mutating func take(_ lease: OutboxLease) -> OutboxLeased {
        if let lane = lease.lane { return take(lease, onlyFrom: lane) }
        var leased = OutboxLeased()
        var taken: [Int] = []
        var schedule = schedules.removeValue(forKey: ExactText(lease.environment)) ?? OutboxSchedule()
        schedule.advance(lease)
        while !leased.hasMore, let number = schedule.takeReady() {
            guard let record = records[number] else { continue }
            switch judge(record, lease) {
            case .held: continue
            case .wait(let date): schedule.wait(number, until: date, isPause: isPause(record, lease))
            case .take where taken.count >= lease.count:
                schedule.add(number)
                leased.hasMore = true
            case .take: taken.append(number)
            }
        }
        leased.nextWake = schedule.nextDate
        for number in taken {
            schedule.wait(number, until: lease.until, isPause: false)
            grant(number, lease).map { leased.records.append($0) }
        }
        schedules[ExactText(lease.environment)] = schedule
        return leased
    }

    private mutating func take(_ lease: OutboxLease, onlyFrom lane: OutboxLane) -> OutboxLeased {
        var leased = OutboxLeased()
        guard let number = lines[lane]?.first, let record = records[number] else { return leased }
        switch judge(record, lease) {
        case .held: break
        case .wait(let date): leased.note(date)
        case .take where lease.count <= 0: leased.hasMore = true
        case .take:
            grant(number, lease).map { leased.records.append($0) }
            schedules[ExactText(lane.environment)]?.wait(number, until: lease.until, isPause: false)
        }
        return leased
    }

    private mutating func judge(_ record: OutboxRecord, _ lease: OutboxLease) -> OutboxLease.Verdict {
        judged += 1
        return lease.verdict(
            on: record.state, expires: record.expires, nextAttempt: record.nextAttempt, notBefore: record.notBefore, leasedUntil: record.leasedUntil)
    }

    /// Whether an entry waits for the end of a pause that a lease may ignore.
    private mutating func isPause(_ record: OutboxRecord, _ lease: OutboxLease) -> Bool {
        var ignoring = lease
        ignoring.ignoresPauses = true
        return judge(record, ignoring) == .take
    }

    private mutating func grant(_ number: Int, _ lease: OutboxLease) -> OutboxRecord? {
        guard let id = records[number]?.id else { return nil }
        if let owner = owners[id], owner != lease.owner { noteLostAnswer(of: id) }
        records[number]?.leasedUntil = lease.until
        owners[id] = lease.owner
        return records[number]
    }
}
