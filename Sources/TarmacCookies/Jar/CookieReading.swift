@_spi(TarmacRooms) import TarmacCore

/// The reading of a store behind the calls: one at a time, for all calls that wait for it (pure).
struct CookieReading {
    private var waiting: [Settlement<Void>] = []
    private var isUnderWay = false
    /// The error of the last reading, or of one that does not end. The calls that waited throw it.
    private(set) var failure: (any Error)?
    private var hasEnded = false
    private var hangs = false

    enum Step { case begin, wait, goOn }

    /// Decides about a call that needs the cookies.
    mutating func join(_ wait: Settlement<Void>) -> Step {
        if hangs { return .goOn }
        waiting.append(wait)
        defer { isUnderWay = true }
        return isUnderWay ? .wait : .begin
    }

    /// Ends the reading.
    mutating func end(_ failure: (any Error)?) {
        self.failure = failure
        // Otherwise the calls that wait are released first.
        if hangs { (isUnderWay, hangs) = (false, false) } else { hasEnded = true }
    }

    /// Releases the calls when the reading has ended, or takes too long. In the second case, later calls do not wait for it.
    mutating func release(late: any Error) -> [Settlement<Void>] {
        if hasEnded { (isUnderWay, hasEnded) = (false, false) } else { (hangs, failure) = (true, late) }
        defer { waiting = [] }
        return waiting
    }
}
