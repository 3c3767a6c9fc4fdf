import TarmacCore

/// Decides when the changes of a jar are written, and that one call writes at a time (pure).
struct CookieWriting {
    /// Whether a write after the delay is due.
    var isScheduled = false
    private(set) var isWriting = false
    /// Whether another call asked for a write during a write.
    private(set) var isAskedAgain = false
    /// The calls that wait for the end of a write.
    var waiters = Waiters()

    /// Returns whether a write must be scheduled after a change.
    mutating func change() -> Bool {
        defer { isScheduled = true }
        return !isScheduled
    }

    /// Returns whether the caller may write. Otherwise the call that writes goes on with the changes since.
    mutating func begin() -> Bool {
        isAskedAgain = isWriting
        defer { isWriting = true }
        return !isWriting
    }

    /// Whether the writer goes on after a write.
    mutating func goesOn() -> Bool {
        defer { isAskedAgain = false }
        return isAskedAgain
    }

    mutating func end() -> Waiters {
        isWriting = false
        return waiters.takeAll()
    }
}
