public import TarmacCore
public import TarmacResilience

/// How an outbox sends, and what it does with what cannot be sent.
public struct OutboxRule: Sendable {
    /// How many lanes send at the same time. Default 4; from 1 to 64.
    public var lanesAtOnce = 4
    /// How often an entry is sent before it is a dead letter; `nil` for as often as it takes. Default 25. Attempts that
    /// never reached the server, such as those without a network, do not count.
    public var maximumAttempts: Int? = 25
    /// The longest pause after the first failure; each further one may be twice as long. Default 1 s.
    ///
    /// Pauses are chosen at random between nothing and their length ("full jitter"); a `Retry-After` is added to them.
    public var base = Duration.seconds(1)
    /// The longest pause of all. Default 5 min.
    public var maximumDelay = Duration.seconds(300)
    /// The longest `Retry-After` that is waited for; one beyond it counts as this. Default one day.
    public var maximumRetryAfter = Duration.seconds(86_400)
    /// The statuses that are tried again. Default: 408, 421, 425, 429, 500, 502, 503, 504.
    ///
    /// A 409 is tried again as well if an earlier attempt with the same key may still be in progress
    /// (draft-ietf-httpapi-idempotency-key-header §2.7).
    public var statuses = TarmacError.transientStatuses
    /// Looks at each failure first, as it was before ``Options/mapError``. Default: `.standard` for all.
    public var classifier: (@Sendable (TarmacError) -> RetryRule.Advice)?
    /// How long an entry is wanted, unless it says so itself. Default: for ever.
    public var lifetime: Duration?
    /// What a dead letter does to the entries behind it. Default: it holds its lane, so that nothing overtakes it. An entry
    /// that expired never does.
    public var deadLetters = DeadLetters.holdLane
    /// How long one attempt may take, waiting for slots and tokens included. Default 2 min. A body that is kept as a file gets a
    /// second more for each 64 KiB.
    public var attemptTime = TimeLimit.seconds(120)
    /// How long a process that died keeps others that share the store from sending what it was sending. Default 60 s; at most
    /// 10 min.
    public var lease = Duration.seconds(60)
    /// How often the store is looked at when nothing happens, for what other processes put there. Default 60 s.
    public var checkInterval = Duration.seconds(60)
    /// How many entries there may be, dead letters included. Default 10,000.
    public var maximumEntries = 10_000
    /// The largest body in bytes that is kept in its entry, and read into memory for that. Default 1 MiB.
    public var maximumBodySize = 1 << 20
    /// How many bytes larger bodies, files and streams, may have together, which are kept as files in the store's
    /// ``OutboxStore/bodyFolder``. Default 2 GiB; 0 for none.
    public var maximumFileBytes: Int64 = 2 << 30
    /// Whether parameters that are secret, by a mark or by their name, are kept in a durable store without a sealer. Default: no,
    /// such a call is refused.
    public var allowsUnsealedSecrets = false

    /// What a dead letter does to its lane.
    public enum DeadLetters: Sendable {
        /// Nothing behind it is sent until it is re-sent or dropped.
        case holdLane
        /// Those behind it go on.
        case skip
    }

    public init(_ configure: (inout OutboxRule) -> Void = { _ in }) { configure(&self) }

    /// Why it cannot be used.
    var fault: String? {
        if !(1...64).contains(lanesAtOnce) { return "lanesAtOnce must be from 1 to 64" }
        if let maximumAttempts, maximumAttempts < 1 { return "maximumAttempts must be 1 or more" }
        let spans = [base, maximumDelay, maximumRetryAfter, lifetime ?? .zero]
        if spans.contains(where: { $0 < .zero }) { return "a span of time is less than nothing" }
        if lease < .seconds(1) || lease > .seconds(600) { return "the lease must be from 1 s to 10 min" }
        if checkInterval < .seconds(1) { return "the checkInterval must be 1 s or more" }
        if maximumEntries < 1 || maximumBodySize < 0 || maximumFileBytes < 0 { return "a limit is less than nothing" }
        return attemptTime.fault.map { "attemptTime: \($0)" }
    }
}
