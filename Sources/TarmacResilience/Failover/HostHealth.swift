import TarmacCore

/// Decides when a host that could not be reached is asked again (pure).
struct HostHealth {
    typealias Instant = Moment

    private let firstPause: Duration
    private let longestPause: Duration
    private var failures = 0
    /// The instant until which no call asks the host.
    private(set) var downUntil: Instant?
    /// Whether a call is testing the host.
    private var isProbed = false

    init(first: Duration = .seconds(5), longest: Duration = .seconds(60)) {
        firstPause = first
        longestPause = longest
    }

    /// Whether a call skips the host. After the pause one call tests the host while other calls still skip it.
    mutating func isSkipped(_ now: Instant) -> Bool {
        guard let downUntil else { return false }
        if now < downUntil { return true }
        self.downUntil = now + pause
        isProbed = true
        return false
    }

    mutating func failed(_ now: Instant) {
        // Calls that were sent together fail together and count as one failure.
        if let downUntil, now < downUntil, !isProbed { return }
        isProbed = false
        failures = min(failures + 1, 10)
        downUntil = now + pause
    }

    mutating func answered() { self = HostHealth(first: firstPause, longest: longestPause) }

    /// The pause. It doubles with each consecutive failure.
    private var pause: Duration { firstPause.doubled(failures - 1, atMost: longestPause) }

    /// Returns the order in which hosts are asked: the first that is not skipped, the hosts after it, then the hosts
    /// before it.
    static func order(_ bases: [HTTPURL], isSkipped: (WebOrigin) -> Bool) -> [HTTPURL] {
        guard let head = bases.firstIndex(where: { !isSkipped($0.origin) }) else { return bases }
        return Array(bases[head...] + bases[..<head])
    }
}
