import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// What the calls with the same settings have in common in a log. One reference, because a call keeps it.
final class LogScope: Sendable {
    /// Tells the clients of a log apart. A client that is gone may leave its place in memory to another, whose calls are newer.
    let client: ObjectIdentifier
    let service: String
    let tags: Set<CallTag>
    private struct Masking {
        var isKnown = false
        var redactor = Redactor.standard
    }
    private let masking = Locked(Masking())

    init(_ scope: StageScope) {
        (client, service, tags) = (ObjectIdentifier(scope.service.client), scope.service.name, scope.values.tags)
    }

    /// Makes the scope of a call that failed before its stages ran.
    init(client: ObjectIdentifier, _ event: CallEvent) { (self.client, service, tags) = (client, event.service, event.tags) }

    /// Makes the scope of a call of an archive.
    init(imported host: String) { (client, service, tags) = (ObjectIdentifier(LogScope.self), host, []) }

    var redactor: Redactor { masking.withLock { $0.redactor } }

    /// Notes the settings of the calls, which are known when the first one runs.
    func note(_ options: ResolvedOptions) {
        masking.withLock { masking in
            if !masking.isKnown { masking = Masking(isKnown: true, redactor: options.redactor) }
        }
    }
}

/// A call in the log: what was captured, and what it looks like once it was masked.
// SAFETY: the variables are read and changed under the lock of the log that owns the record, or before the log has it.
final class CallRecord: Attachment, @unchecked Sendable {
    fileprivate(set) var id: UInt64 = 0
    fileprivate(set) var raw: RawCall
    private(set) var version = 0
    // Behind a reference, because it is compared with each change, and large.
    private var cached: MaskedEntry?
    var masked: CallLog.Entry? { cached?.entry }
    /// Whether the log has removed the call.
    fileprivate(set) var isRemoved = false

    init(_ raw: RawCall) { self.raw = raw }

    fileprivate func has(_ client: ObjectIdentifier, _ call: UInt64) -> Bool { raw.call == call && raw.scope.client == client }

    /// Notes a change, so that the call is masked again.
    fileprivate func touch() {
        version &+= 1
        cached = nil
    }

    /// Keeps the masked form of a version, unless the call has changed meanwhile.
    func keep(_ entry: CallLog.Entry, of version: Int) { if version == self.version { cached = MaskedEntry(entry) } }
}

private final class MaskedEntry: Sendable {
    let entry: CallLog.Entry
    init(_ entry: CallLog.Entry) { self.entry = entry }
}

/// The calls of a log, in the order of their starts (all transitions; the log holds the lock).
struct LogState {
    private let last: Int
    private let memory: Int
    /// The calls from the oldest on. A removed one leaves a hole, until the holes are as many as the calls.
    private var places: [CallRecord?] = []
    /// The place before which there are only holes.
    private var head = 0
    private(set) var count = 0
    private var kept = 0
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

    /// Adds a call. Returns the call that is removed for it, so that it is released outside of the lock.
    mutating func begin(_ record: CallRecord) -> CallRecord? {
        if isPaused {
            record.isRemoved = true
            return nil
        }
        record.id = nextID
        nextID += 1
        kept += record.raw.kept
        count += 1
        places.append(record)
        if !listeners.isEmpty { tell(.started(record.id)) }
        return trim()
    }

    /// Changes a call, if the log still has it.
    mutating func change<Result>(_ record: CallRecord, _ change: (inout RawCall) -> Result) -> (result: Result, removed: CallRecord?)? {
        if record.isRemoved { return nil }
        let before = record.raw.kept, wasOver = record.raw.end != nil
        let result = change(&record.raw)
        record.touch()
        kept += record.raw.kept - before
        if !listeners.isEmpty { tell(!wasOver && record.raw.end != nil ? .ended(record.id) : .changed(record.id)) }
        return (result, kept > memory ? trim() : nil)
    }

    mutating func clear() {
        for record in records { record.isRemoved = true }
        (places, head, count, kept) = ([], 0, 0, 0)
        tell(.cleared)
    }

    // MARK: Bounds

    /// Removes calls until the bounds are met, and returns the last one.
    private mutating func trim() -> CallRecord? {
        var removed: CallRecord?
        while count > last || kept > memory && count > 1 { removed = remove(oldest) }
        return removed
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

    private mutating func remove(_ place: Int) -> CallRecord? {
        guard let record = places[place] else { return nil }
        places[place] = nil
        count -= 1
        kept -= record.raw.kept
        record.isRemoved = true
        while head < places.count, places[head] == nil { head += 1 }
        if head > 64, head > places.count / 2 {
            places.removeFirst(head)
            head = 0
        }
        if !listeners.isEmpty { tell(.removed(record.id)) }
        return record
    }

    // MARK: Listeners

    mutating func listen(_ continuation: AsyncStream<CallLog.Update>.Continuation) -> Int {
        defer { nextListener += 1 }
        listeners[nextListener] = continuation
        return nextListener
    }

    mutating func forget(_ listener: Int) { listeners[listener] = nil }

    var listenerCount: Int { listeners.count }

    /// Tells the listeners. A stream only stores the change, so this may happen under the lock, which keeps the order.
    private func tell(_ update: CallLog.Update) {
        for listener in listeners.values { listener.yield(update) }
    }
}
