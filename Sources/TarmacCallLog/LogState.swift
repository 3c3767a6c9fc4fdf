@_spi(TarmacRooms) import TarmacCore

/// The calls of a log, in the order of their starts (all transitions; the log holds the lock).
struct LogState {
    /// The place of a call, which keeps its number when the call is gone.
    struct Place {
        let id: UInt64
        var record: CallRecord?
    }

    private let last: Int
    private let memory: Int
    /// The calls from the oldest on, so that their numbers ascend. A removed one leaves a hole, until there are more holes than calls.
    private(set) var places: [Place] = []
    private var table = CallTable()
    /// The place before which there are only holes.
    private var head = 0
    /// The place before which no call has a masked form.
    private var firstMasked = 0
    /// The memory of the calls, and of their masked forms.
    private(set) var kept = 0, cached = 0
    private var nextID: UInt64 = 1
    private var listeners: [Int: AsyncStream<CallLog.Update>.Continuation] = [:]
    private var nextListener = 0
    var isPaused = false
    /// The number of old calls in flight that are passed over for one that has ended.
    private static let passedOver = 64

    init(last: Int, memory: Int) { (self.last, self.memory) = (last, memory) }

    var count: Int { table.count }

    var records: [CallRecord] { places[head...].compactMap(\.record) }

    func record(of id: UInt64) -> CallRecord? { place(of: id).flatMap { places[$0].record } }

    private func place(of id: UInt64) -> Int? {
        var low = head, high = places.count
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < places.count && places[low].id == id ? low : nil
    }

    /// Returns a call by its number in its client.
    func record(_ client: LogClient, _ call: UInt64) -> CallRecord? { table.record(client, call) }

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
        places.append(Place(id: record.id, record: record))
        table.insert(record)
        if !listeners.isEmpty { tell(.started(record.id)) }
        return trim()
    }

    /// Adds a call with the date of its start. Returns `nil` if its settings or the date are not known, and nothing is added.
    mutating func beginDated(_ record: CallRecord) -> RemovedCalls? {
        guard let clock = record.raw.scope.clock, !clock.isOld(at: record.raw.began) else { return nil }
        record.raw.clock = clock
        return begin(record)
    }

    /// Returns a call that passes its stages once more, after it has taken back its end.
    mutating func resume(_ client: LogClient, _ call: UInt64) -> CallRecord? {
        guard let record = record(client, call) else { return nil }
        if record.raw.end != nil { _ = change(record) { $0.finish(nil) } }
        return record
    }

    /// Changes a call, if the log still has it.
    mutating func change<Result>(_ record: CallRecord, _ change: (inout RawCall) -> Result) -> (result: Result, removed: RemovedCalls)? {
        if record.isRemoved { return nil }
        let before = record.raw.kept, wasOver = record.raw.end != nil
        let result = change(&record.raw)
        let isEnd = !wasOver && record.raw.end != nil
        return (result, noteChange(record, before, isEnd: isEnd))
    }

    private mutating func noteChange(_ record: CallRecord, _ before: Int, isEnd: Bool = false) -> RemovedCalls {
        cached -= record.touch()
        kept += record.raw.kept - before
        if !listeners.isEmpty { tell(isEnd ? .ended(record.id) : .changed(record.id)) }
        return kept + cached > memory ? trim() : RemovedCalls()
    }

    /// Adds an attempt to a call, if the log has it.
    mutating func beginAttempt(
        _ scope: LogScope, _ call: UInt64, _ request: KeptRequest, _ body: RawBody?
    ) -> (attempt: LoggedAttempt, removed: RemovedCalls)? {
        guard let record = record(scope.client, call) else { return nil }
        let changed = change(record) { $0.begin(request, body: body) }
        return changed.map { (LoggedAttempt(record: record, number: $0.result), $0.removed) }
    }

    /// Notes the end of an attempt with a response, if the log has its call.
    mutating func endAttempt(_ attempt: LoggedAttempt, _ response: consuming RawResponse, _ history: consuming AttemptHistory) -> RemovedCalls {
        let record = attempt.record
        if record.isRemoved { return RemovedCalls() }
        let before = record.raw.kept
        record.raw.end(attempt.number, response, history)
        return noteChange(record, before)
    }

    mutating func clear() -> RemovedCalls {
        var removed = RemovedCalls()
        for record in records {
            record.isRemoved = true
            record.next = nil
            removed.add(record)
        }
        (places, table, head, firstMasked, kept, cached) = ([], CallTable(), 0, 0, 0, 0)
        tell(.cleared)
        return removed
    }

    // MARK: Masked forms

    /// Keeps the masked form of a version of a call, unless the call has changed meanwhile. Those of older calls make room for it.
    mutating func keep(_ masked: MaskedEntry, of record: CallRecord, _ version: Int) -> RemovedCalls {
        var removed = RemovedCalls()
        guard !record.isRemoved, record.version == version, record.cached == nil, kept + masked.size <= memory else { return removed }
        guard let place = place(of: record.id) else { return removed }
        forgetMasked(before: place, for: masked.size, &removed)
        guard kept + cached + masked.size <= memory else { return removed }
        record.cached = masked
        cached += masked.size
        firstMasked = min(firstMasked, place)
        return removed
    }

    /// Forgets masked forms, which can be made again, from the oldest call on until there is room.
    private mutating func forgetMasked(before end: Int, for size: Int, _ removed: inout RemovedCalls) {
        firstMasked = max(firstMasked, head)
        while firstMasked < end, cached > 0, kept + cached + size > memory {
            if let record = places[firstMasked].record, let masked = record.cached {
                record.cached = nil
                cached -= masked.size
                removed.add(masked)
            }
            firstMasked += 1
        }
    }

    // MARK: Bounds

    /// Removes calls until the bounds are met.
    private mutating func trim() -> RemovedCalls {
        var removed = RemovedCalls()
        if cached > 0, kept + cached > memory { forgetMasked(before: places.count, for: 0, &removed) }
        while count > last || kept > memory && count > 1 { remove(oldest, &removed) }
        return removed
    }

    /// The place of the oldest call that has ended, or of the oldest in flight if the first many are in flight.
    private var oldest: Int {
        var passed = 0
        for place in head..<places.count - 1 {
            guard let record = places[place].record else { continue }
            if record.raw.end != nil { return place }
            passed += 1
            if passed == Self.passedOver { break }
        }
        return head
    }

    private mutating func remove(_ place: Int, _ removed: inout RemovedCalls) {
        guard let record = places[place].record else { return }
        places[place].record = nil
        table.remove(record)
        kept -= record.raw.kept
        cached -= record.cached?.size ?? 0
        record.isRemoved = true
        removed.add(record)
        while head < places.count, places[head].record == nil { head += 1 }
        // One call that stays in flight would keep the holes of all that ended after it.
        if places.count > 2 * count + 64 { (places, head, firstMasked) = (places.filter { $0.record != nil }, 0, 0) }
        if !listeners.isEmpty { tell(.removed(record.id)) }
    }

    // MARK: Listeners

    mutating func listen(_ continuation: AsyncStream<CallLog.Update>.Continuation) -> Int {
        defer { nextListener += 1 }
        listeners[nextListener] = continuation
        return nextListener
    }

    @discardableResult
    mutating func forget(_ listener: Int) -> AsyncStream<CallLog.Update>.Continuation? { listeners.removeValue(forKey: listener) }

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
