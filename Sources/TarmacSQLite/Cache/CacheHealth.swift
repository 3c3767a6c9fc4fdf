#if SQLite
/// Whether the file can be read and written, and whether a change must be reported.
///
/// One fault is reported once, however many calls meet it. It is over when the failed operation works again: a read
/// does not prove that writing works, and on a full disk a small write may succeed where a large one fails.
struct CacheHealth: Equatable {
    private var cannotRead = false
    /// The largest failed write in bytes since the last success.
    private var failedWrite: Int64?
    /// The number of smaller writes that have succeeded since.
    private var smaller = 0
    /// The number of smaller writes in a row that count as a large one.
    private static let enough = 64

    var isWorking: Bool { !cannotRead && failedWrite == nil }

    enum Change: Equatable {
        case cannotRead
        case cannotWrite
        case recovered
    }

    /// Notes a read and returns the change to report, if any.
    mutating func noteRead(works: Bool) -> Change? {
        let before = isWorking
        cannotRead = !works
        return change(from: before, .cannotRead)
    }

    /// - Parameter size: The size of the stored data in bytes; 0 for a write that stores nothing.
    mutating func noteWrite(of size: Int64, works: Bool) -> Change? {
        let before = isWorking
        if !works {
            failedWrite = max(failedWrite ?? 0, size)
            smaller = 0
        } else if let failed = failedWrite {
            if size > 0 { smaller += 1 }
            if size >= failed || smaller >= Self.enough { failedWrite = nil }
        }
        return change(from: before, .cannotWrite)
    }

    private func change(from before: Bool, _ fault: Change) -> Change? {
        if before == isWorking { return nil }
        return isWorking ? .recovered : fault
    }
}
#endif
