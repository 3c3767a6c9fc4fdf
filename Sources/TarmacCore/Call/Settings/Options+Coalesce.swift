extension Options {
    /// Whether the call shares one request with identical ones that are in flight. Default: no, every call is sent.
    ///
    /// ```swift
    /// extension GetUser { func configure(_ options: inout Options) { options.coalesces = true } }
    /// ```
    /// Identical are calls of one service and environment with the same method, URL, header fields and principal, and
    /// the same limits on what may be received and how. Fields that only trace a call are not compared: `traceparent`,
    /// `tracestate`, `baggage`, `b3`, `X-B3-*`, `X-Request-ID` and `X-Correlation-ID`.
    ///
    /// - Each call keeps its own ``deadline``, and waits at most its own ``timeout`` for an attempt; it is landed by its
    ///   own endpoint, envelope and decoder, and an error gets its own context. `attempts` are those of the flight.
    /// - All other settings are those of the call that began the flight: its timeouts, its priority, its attempts.
    /// - Cancelling one call, the first included, never disturbs the others. When nobody waits any more, the request is
    ///   cancelled.
    ///
    /// Only buffered calls with a safe method and no body share (RFC 9110 §9.2.1). A call flies alone if its own or its
    /// endpoint's settings say how it is authenticated, encrypted, signed or verified, or give it cookies or attempt interceptors,
    /// since nobody can tell whether two such are the same.
    ///
    /// It is off by default because an answer may then be older than its call: one asked for before somebody else made a
    /// change may answer a call that was made after it. Changes of the client's own are known: a call made after one of the
    /// same URL begins a request of its own.
    public var coalesces: Bool? {
        get { self[Coalesces.self] }
        set { self[Coalesces.self] = newValue }
    }
}

enum Coalesces: KernelOption {
    static let name = "coalesces"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.coalesces }
}
