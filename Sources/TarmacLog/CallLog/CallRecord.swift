@_spi(TarmacRooms) import TarmacCore

/// A call in the log: what was captured, and what it looks like once it was masked.
// SAFETY: the variables are read and changed under the lock of the log that owns the record, or before the log has it.
final class CallRecord: Attachment, @unchecked Sendable {
    fileprivate(set) var id: UInt64 = 0
    fileprivate(set) var raw: RawCall
    private(set) var version = 0
    // Behind a reference, because it is compared with each change, and large.
    fileprivate var cached: MaskedEntry?
    var masked: CallLog.Entry? { cached?.entry }
    /// Whether the log has removed the call, or never took it.
    fileprivate(set) var isRemoved = false

    init(_ raw: RawCall) { self.raw = raw }

    fileprivate func has(_ client: ObjectIdentifier, _ call: UInt64) -> Bool { raw.call == call && raw.scope.client == client }

    /// Notes a change, so that the call is masked again. Returns the memory of the masked form that is released.
    fileprivate func touch() -> Int {
        version &+= 1
        guard let cached else { return 0 }
        self.cached = nil
        return cached.size
    }
}

/// A masked call, and the memory that it takes.
final class MaskedEntry: Sendable {
    let entry: CallLog.Entry
    let size: Int

    init(_ entry: CallLog.Entry) { (self.entry, size) = (entry, entry.size) }
}

/// The calls of a log, in the order of their starts (all transitions; the log holds the lock).
struct LogState {
    private let last: Int
    private let memory: Int
    /// The calls from the oldest on. A removed one leaves a hole, until there are more holes than calls.
    private(set) var places: [CallRecord?] = []
    /// The place before which there are only holes.
    private var head = 0
    private(set) var count = 0
    /// The memory of the calls, and of their masked forms.
    private(set) var kept = 0, cached = 0
    private var nextID: UInt64 = 1
    private var listeners: [Int: AsyncStream<CallLog.Update>.Continuation] = [:]
    private var nextListener = 0
    var isPaused = false
    /// The number of old calls in flight that are passed over for one that has ended.
    private static let passedOver = 64

    init(last: Int, memory: Int) { (self.last, self.memory) = (last, memory) }

    var records: [CallRecord] { places[head...].compactMap(\.self) }

    func record(of id: UInt64) -> CallRecord? { places[head...].lazy.compactMap(\.self).first { $0.id == id } }

    /// Returns a call by its number in its client. Only what is not usual looks it up, and nearly always one of the last.
    func record(_ client: ObjectIdentifier, _ call: UInt64) -> CallRecord? {
        for place in places[head...].indices.reversed() {
            if let record = places[place], record.has(client, call) { return record }
        }
        return nil
    }

    // MARK: Calls

    /// Adds a call. Returns the calls that are removed for it.
    mutating func begin(_ record: CallRecord) -> RemovedCalls {
        if isPaused {
            record.isRemoved = true
            return RemovedCalls()
        }
        record.id = nextID
        nextID += 1
        kept += record.raw.kept
        count += 1
        places.append(record)
        if !listeners.isEmpty { tell(.started(record.id)) }
        return trim()
    }

    /// Returns a call that passes its stages once more, after it has taken back its end. Its start tells it from a call of a client that
    /// is gone.
    mutating func resume(_ client: ObjectIdentifier, _ call: UInt64, since start: Moment) -> CallRecord? {
        guard let record = record(client, call), record.raw.began == start else { return nil }
        if record.raw.end != nil { _ = change(record) { $0.finish(nil) } }
        return record
    }

    /// Changes a call, if the log still has it.
    mutating func change<Result>(_ record: CallRecord, _ change: (inout RawCall) -> Result) -> (result: Result, removed: RemovedCalls)? {
        if record.isRemoved { return nil }
        let before = record.raw.kept, wasOver = record.raw.end != nil
        let result = change(&record.raw)
        cached -= record.touch()
        kept += record.raw.kept - before
        if !listeners.isEmpty { tell(!wasOver && record.raw.end != nil ? .ended(record.id) : .changed(record.id)) }
        return (result, kept + cached > memory ? trim() : RemovedCalls())
    }

    /// Keeps the masked form of a version of a call, unless the call has changed meanwhile or there is no room for it.
    mutating func keep(_ masked: MaskedEntry, of record: CallRecord, _ version: Int) {
        guard !record.isRemoved, record.version == version, record.cached == nil, kept + cached + masked.size <= memory else { return }
        record.cached = masked
        cached += masked.size
    }

    mutating func clear() -> RemovedCalls {
        var removed = RemovedCalls()
        for record in records {
            record.isRemoved = true
            removed.add(record)
        }
        (places, head, count, kept, cached) = ([], 0, 0, 0, 0)
        tell(.cleared)
        return removed
    }

    // MARK: Bounds

    /// Removes calls until the bounds are met.
    private mutating func trim() -> RemovedCalls {
        var removed = RemovedCalls()
        if cached > 0, kept + cached > memory { forgetMasked(&removed) }
        while count > last || kept > memory && count > 1 { remove(oldest, &removed) }
        return removed
    }

    /// Masked forms can be made again.
    private mutating func forgetMasked(_ removed: inout RemovedCalls) {
        for case let record? in places[head...] {
            guard let masked = record.cached else { continue }
            record.cached = nil
            removed.add(masked)
        }
        cached = 0
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

    private mutating func remove(_ place: Int, _ removed: inout RemovedCalls) {
        guard let record = places[place] else { return }
        places[place] = nil
        count -= 1
        kept -= record.raw.kept
        cached -= record.cached?.size ?? 0
        record.isRemoved = true
        removed.add(record)
        while head < places.count, places[head] == nil { head += 1 }
        // One call that stays in flight would keep the holes of all that ended after it.
        if places.count > 2 * count + 64 { (places, head) = (places.filter { $0 != nil }, 0) }
        if !listeners.isEmpty { tell(.removed(record.id)) }
    }

    // MARK: Listeners

    mutating func listen(_ continuation: AsyncStream<CallLog.Update>.Continuation) -> Int {
        defer { nextListener += 1 }
        listeners[nextListener] = continuation
        return nextListener
    }

    mutating func forget(_ listener: Int) { listeners[listener] = nil }

    /// Returns the listeners, which hear nothing more.
    mutating func forgetListeners() -> [AsyncStream<CallLog.Update>.Continuation] {
        defer { listeners = [:] }
        return Array(listeners.values)
    }

    var listenerCount: Int { listeners.count }

    /// Tells the listeners. A stream only stores the change, so this may happen under the lock, which keeps the order.
    private func tell(_ update: CallLog.Update) {
        for listener in listeners.values { listener.yield(update) }
    }
}

/// The calls that a log has removed, to be released outside of its lock. Nearly always one call.
struct RemovedCalls: Sendable {
    private var first: (any Sendable)?
    private var others: [any Sendable] = []

    mutating func add(_ value: any Sendable) { if first == nil { first = value } else { others.append(value) } }
}
