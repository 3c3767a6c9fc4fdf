public import TarmacCore
public import TarmacResilience

/// The rule for how an outbox sends entries, and how it treats entries that cannot be sent.
public struct OutboxRule: Sendable {
    /// The number of lanes that send at the same time, from 1 to 64. Default: 4.
    public var lanesAtOnce = 4
    /// The number of attempts before an entry becomes a dead letter; `nil` for no limit. Default: 25.
    ///
    /// Attempts that never reach the server, such as those without a network, do not count.
    public var maximumAttempts: Int? = 25
    /// The longest pause after the first failure; each further pause may be twice as long. Default: 1 s.
    ///
    /// A pause is a random time between zero and its limit ("full jitter"). A `Retry-After` is added to it.
    public var base = Duration.seconds(1)
    /// The upper limit of all pauses. Default: 5 min.
    public var maximumDelay = Duration.seconds(300)
    /// The longest `Retry-After` that is respected; a longer one counts as this. Default: one day.
    public var maximumRetryAfter = Duration.seconds(86_400)
    /// The statuses after which an entry is tried again. Default: 408, 421, 425, 429, 500, 502, 503, 504.
    ///
    /// An entry is also tried again after a 409 if an earlier attempt with the same key may still be in progress
    /// (draft-ietf-httpapi-idempotency-key-header §2.7).
    public var statuses = TarmacError.transientStatuses
    /// Classifies each failure first, before ``Options/mapError`` changes it. Default: `.standard` for all.
    public var classifier: (@Sendable (TarmacError) -> RetryRule.Advice)?
    /// The time after which an entry expires, unless it sets its own. Default: never.
    public var lifetime: Duration?
    /// The effect of a dead letter on the entries behind it. Default: it holds its lane, so that the order is kept.
    ///
    /// An expired entry never holds its lane.
    public var deadLetters = DeadLetters.holdLane
    /// The longest time of one attempt, including waits for slots and tokens. Default: 2 min.
    ///
    /// A body that is kept as a file adds one second for each 64 KiB.
    public var attemptTime = TimeLimit.seconds(120)
    /// The time after which another process may send the entries of a process that has ended. Default: 60 s; from 1 s
    /// to 10 min.
    public var lease = Duration.seconds(60)
    /// The interval between checks of the store for entries of other processes. Default: 60 s.
    public var checkInterval = Duration.seconds(60)
    /// The largest number of entries, dead letters included. Default: 10,000.
    public var maximumEntries = 10_000
    /// The largest body in bytes that is kept in its entry, and read into memory for it. Default: 1 MiB.
    public var maximumBodySize = 1 << 20
    /// The largest total size in bytes of the bodies that are kept as files in ``OutboxStore/bodyFolder``: those from
    /// files and streams that are larger than ``maximumBodySize``. Default: 2 GiB; 0 for none.
    public var maximumFileBytes: Int64 = 2 << 30
    /// Whether a durable store without a sealer may keep parameters that are secret by a mark or by their name.
    /// Default: `false`: such a call is refused.
    public var allowsUnsealedSecrets = false

    /// The effect of a dead letter on its lane.
    public enum DeadLetters: Sendable {
        /// The entries behind it wait until it is resent or dropped.
        case holdLane
        /// The entries behind it are sent.
        case skip
    }

    public init(_ configure: (inout OutboxRule) -> Void = { _ in }) { configure(&self) }

    /// The reason why the rule is invalid; `nil` if it is valid.
    var fault: String? {
        if !(1...64).contains(lanesAtOnce) { return "lanesAtOnce must be from 1 to 64" }
        if let maximumAttempts, maximumAttempts < 1 { return "maximumAttempts must be 1 or more" }
        let spans = [base, maximumDelay, maximumRetryAfter, lifetime ?? .zero]
        if spans.contains(where: { $0 < .zero }) { return "a span of time is less than nothing" }
        if lifetime == .zero { return "lifetime must be more than nothing" }
        if (spans + [checkInterval]).contains(where: { $0 > .seconds(3_155_695_200 as Int64) }) { return "a span of time is longer than a century" }
        if lease < .seconds(1) || lease > .seconds(600) { return "the lease must be from 1 s to 10 min" }
        if checkInterval < .seconds(1) { return "the checkInterval must be 1 s or more" }
        if maximumEntries < 1 || maximumBodySize < 0 || maximumFileBytes < 0 { return "a limit is less than nothing" }
        return attemptTime.fault.map { "attemptTime: \($0)" }
    }
}
