/// Whether a host that could not be reached is asked again yet (pure).
package struct HostHealth {
    package typealias Instant = ContinuousClock.Instant

    private let firstPause: Duration
    private let longestPause: Duration
    private var failures = 0
    /// Until when nobody asks it.
    package private(set) var downUntil: Instant?
    /// Whether a call looks whether it is back.
    private var isProbed = false

    package init(first: Duration = .seconds(5), longest: Duration = .seconds(60)) {
        firstPause = first
        longestPause = longest
    }

    /// Whether it is passed over. Once its pause is over one call is let through to see, and the others go on around it.
    package mutating func isSkipped(_ now: Instant) -> Bool {
        guard let downUntil else { return false }
        if now < downUntil { return true }
        self.downUntil = now + pause
        isProbed = true
        return false
    }

    package mutating func failed(_ now: Instant) {
        // Calls that flew together fail together: that is one failure of the host's.
        if let downUntil, now < downUntil, !isProbed { return }
        isProbed = false
        failures = min(failures + 1, 10)
        downUntil = now + pause
    }

    package mutating func answered() { self = HostHealth(first: firstPause, longest: longestPause) }

    /// Twice as long with each failure in a row.
    private var pause: Duration { min(firstPause * (1 << max(failures - 1, 0)), longestPause) }

    /// The order in which hosts are asked: the first that is not skipped, those behind it, and last those before it.
    static func order(_ bases: [HTTPURL], isSkipped: (WebOrigin) -> Bool) -> [HTTPURL] {
        guard let head = bases.firstIndex(where: { !isSkipped($0.origin) }) else { return bases }
        return Array(bases[head...] + bases[..<head])
    }
}
