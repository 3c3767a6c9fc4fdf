/// Whether a host that could not be reached is asked again yet (pure).
struct HostHealth {
    typealias Instant = ContinuousClock.Instant

    private var failures = 0
    private var downUntil: Instant?

    private static let firstPause = Duration.seconds(5)
    private static let longestPause = Duration.seconds(60)

    /// Whether it is passed over. Once its pause is over one call is let through to see, and the others go on around it.
    mutating func isSkipped(_ now: Instant) -> Bool {
        guard let downUntil else { return false }
        if now < downUntil { return true }
        self.downUntil = now + pause
        return false
    }

    mutating func failed(_ now: Instant) {
        failures = min(failures + 1, 10)
        downUntil = now + pause
    }

    mutating func answered() { self = HostHealth() }

    /// Twice as long with each failure in a row.
    private var pause: Duration { min(Self.firstPause * (1 << max(failures - 1, 0)), Self.longestPause) }

    /// The order in which hosts are asked: the first that is not skipped, those behind it, and last those before it.
    static func order(_ bases: [HTTPURL], isSkipped: (WebOrigin) -> Bool) -> [HTTPURL] {
        guard let head = bases.firstIndex(where: { !isSkipped($0.origin) }) else { return bases }
        return Array(bases[head...] + bases[..<head])
    }
}
