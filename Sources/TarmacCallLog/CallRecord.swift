@_spi(TarmacRooms) import TarmacCore

/// A call in the log: what was captured, and what it looks like once it was masked.
// SAFETY: the variables are read and changed under the lock of the log that owns the record, or before the log has it. Exclusivity need not
// be checked for each of them once more.
final class CallRecord: @unchecked Sendable {
    @exclusivity(unchecked) var id: UInt64 = 0
    @exclusivity(unchecked) var raw: RawCall
    @exclusivity(unchecked) private(set) var version = 0
    // Behind a reference, because it is compared with each change, and large.
    @exclusivity(unchecked) var cached: MaskedEntry?
    var masked: CallLog.Entry? { cached?.entry }
    /// Whether the log has removed the call, or never took it.
    @exclusivity(unchecked) var isRemoved = false
    /// The next call in the same slot of a ``CallTable``.
    @exclusivity(unchecked) var next: CallRecord?

    init(_ raw: RawCall) { self.raw = raw }

    func has(_ client: LogClient, _ call: UInt64) -> Bool { raw.call == call && raw.scope.client === client }

    /// Notes a change, so that the call is masked again. Returns the memory of the masked form that is released.
    func touch() -> Int {
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

/// The records that a log has removed, to be released outside of its lock. Nearly always one call.
struct RemovedCalls: Sendable {
    private var first: CallRecord?
    private var others: [any Sendable] = []

    mutating func add(_ record: CallRecord) { if first == nil { first = record } else { others.append(record) } }
    mutating func add(_ masked: MaskedEntry) { others.append(masked) }
}
