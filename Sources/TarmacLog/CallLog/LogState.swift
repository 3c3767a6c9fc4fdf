/// A call of one client. A client that is gone may leave its place in memory to another; the calls of the new one replace those of the old.
struct CallKey: Hashable, Sendable {
    let client: ObjectIdentifier
    let call: UInt64
}

/// A call in the log: what was captured, and what it looks like once it was masked.
// SAFETY: all variables are read and changed under the lock of the log that owns the record.
final class CallRecord: @unchecked Sendable {
    let id: UInt64
    let key: CallKey
    var raw: RawCall
    private(set) var version = 0
    private(set) var masked: CallLog.Entry?

    init(id: UInt64, key: CallKey, raw: RawCall) { (self.id, self.key, self.raw) = (id, key, raw) }

    /// Notes a change, so that the call is masked again.
    func touch() {
        version &+= 1
        masked = nil
    }

    /// Keeps the masked form of a version, unless the call has changed meanwhile.
    func keep(_ entry: CallLog.Entry, of version: Int) { if version == self.version { masked = entry } }
}

/// The calls of a log, in the order of their starts (all transitions; the log holds the lock).
struct LogState {
    private let last: Int
    private let memory: Int
    /// The calls from the oldest on. A removed one leaves a hole, until the holes are as many as the calls.
    private var places: [CallRecord?] = []
    /// The place before which there are only holes.
    private var head = 0
    private var count = 0
    private var kept = 0
    private var index: [CallKey: CallRecord] = [:]
    private var nextID: UInt64 = 1
    private var listeners: [Int: AsyncStream<CallLog.Update>.Continuation] = [:]
    private var nextListener = 0
    var isPaused = false
    /// The number of old calls in flight that are passed over for one that has ended.
    private static let passedOver = 64

    init(last: Int, memory: Int) { (self.last, self.memory) = (last, memory) }

    var records: [CallRecord] { places[head...].compactMap(\.self) }

    func record(of id: UInt64) -> CallRecord? { places[head...].lazy.compactMap(\.self).first { $0.id == id } }
    func record(of key: CallKey) -> CallRecord? { index[key] }

    // MARK: Calls

    mutating func begin(_ key: CallKey, _ raw: RawCall) -> CallRecord {
        let record = CallRecord(id: nextID, key: key, raw: raw)
        nextID += 1
        kept += raw.kept
        count += 1
        places.append(record)
        index[key] = record
        tell(.started(record.id))
        trim()
        return record
    }

    mutating func change<Result>(_ key: CallKey, _ change: (inout RawCall) -> Result) -> Result? {
        guard let record = index[key] else { return nil }
        let before = record.raw.kept
        let result = change(&record.raw)
        record.touch()
        kept += record.raw.kept - before
        tell(.changed(record.id))
        if kept > memory { trim() }
        return result
    }

    mutating func end(_ key: CallKey, _ end: RawCall.End) -> CallRecord? {
        guard let record = index[key] else { return nil }
        record.raw.end = end
        record.touch()
        tell(.ended(record.id))
        return record
    }

    mutating func clear() {
        (places, head, count, kept, index) = ([], 0, 0, 0, [:])
        tell(.cleared)
    }

    // MARK: Bounds

    private mutating func trim() {
        while count > last || kept > memory && count > 1 { remove(oldest) }
    }

    /// The place of the oldest call that has ended, or of the oldest in flight if the first many are in flight.
    private var oldest: Int {
        var passed = 0
        for place in head..<places.count - 1 {
            guard let record = places[place] else { continue }
            if record.raw.end != nil { return place }
            passed += 1
            if passed == Self.passedOver { break }
        }
        return head
    }

    private mutating func remove(_ place: Int) {
        guard let record = places[place] else { return }
        places[place] = nil
        count -= 1
        kept -= record.raw.kept
        if index[record.key] === record { index[record.key] = nil }
        while head < places.count, places[head] == nil { head += 1 }
        if head > 64, head > places.count / 2 {
            places.removeFirst(head)
            head = 0
        }
        tell(.removed(record.id))
    }

    // MARK: Listeners

    mutating func listen(_ continuation: AsyncStream<CallLog.Update>.Continuation) -> Int {
        defer { nextListener += 1 }
        listeners[nextListener] = continuation
        return nextListener
    }

    mutating func forget(_ listener: Int) { listeners[listener] = nil }

    /// Tells the listeners. A stream only stores the change, so this may happen under the lock, which keeps the order.
    private func tell(_ update: CallLog.Update) {
        if listeners.isEmpty { return }
        for listener in listeners.values { listener.yield(update) }
    }
}
