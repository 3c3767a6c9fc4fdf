@_spi(TarmacRooms) import TarmacCore

/// Decides when the changes of a jar are written, and that one call writes at a time (pure).
struct CookieWriting {
    /// Whether a write after the delay is due.
    var isScheduled = false
    private(set) var isWriting = false
    /// Whether another call asked for a write during a write.
    private(set) var isAskedAgain = false
    /// The calls that wait for the end of a write.
    var waiters = Waiters()
    /// When the last write after a delay was to begin.
    private var due: Moment?
    /// The longest time from a change to the update of the store.
    static let delay = Duration.seconds(1)
    /// The time from a change to the update of a store that several jars share, after a second without one: a login that is not saved yet
    /// loses against the end of an old one in another process.
    static let shortDelay = Duration.milliseconds(10)

    /// Returns when the write begins that a change has scheduled.
    mutating func due(after now: Moment, isShared: Bool) -> Moment {
        let isQuiet = due.map { $0 + Self.delay <= now } ?? true
        let next = now + (isShared && isQuiet ? Self.shortDelay : Self.delay)
        due = next
        return next
    }

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
