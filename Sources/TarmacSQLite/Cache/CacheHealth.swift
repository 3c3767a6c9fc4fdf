#if SQLite
/// Whether the file can be read and written, and when that is news.
///
/// One fault is told once, however many calls meet it. It is over when what failed works: reading says nothing of writing, and
/// on a full disk a small write may find room where a large one does not.
struct CacheHealth: Equatable {
    private var cannotRead = false
    /// The largest write that failed since writing worked, in bytes.
    private var failedWrite: Int64?
    /// Writes of any size that have worked since.
    private var smaller = 0
    /// So many of those in a row are as good as a large one.
    private static let enough = 64

    var isWorking: Bool { !cannotRead && failedWrite == nil }

    enum Change: Equatable {
        case cannotRead
        case cannotWrite
        case recovered
    }

    /// What is to be told, if anything.
    mutating func noteRead(works: Bool) -> Change? {
        let before = isWorking
        cannotRead = !works
        return change(from: before, .cannotRead)
    }

    /// - Parameter size: of what is stored, in bytes; 0 for a write that stores nothing.
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
