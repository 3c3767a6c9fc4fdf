@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// Whether the call shares one request with identical calls in flight. Default: `false`, every call is sent.
    ///
    /// ```swift
    /// extension GetUser { func configure(_ options: inout Options) { options.coalesces = true } }
    /// ```
    /// Calls are identical if they belong to one service and environment and have the same method, URL, header fields,
    /// principal and limits on the response. Tracing fields are not compared: `traceparent`, `tracestate`, `baggage`,
    /// `b3`, `X-B3-*`, `X-Request-ID` and `X-Correlation-ID`.
    ///
    /// - Each call keeps its own `deadline`, and waits at most its own `timeout` for an attempt. Its own endpoint,
    ///   envelope and decoder make its value, and its errors have its own context. `attempts` are those of the shared
    ///   request.
    /// - All other settings, such as timeouts, priority and retries, are those of the call that began the request. If it fails
    ///   by a limit that a call's own settings go beyond, such as a shorter `timeout` or fewer attempts, that call goes on with
    ///   another request.
    /// - Cancelling one call, including the first, does not affect the others. The request is cancelled when no call
    ///   waits for it.
    ///
    /// Only buffered calls with a safe method and no body share a request (RFC 9110 §9.2.1). A call is sent alone if
    /// its own or its endpoint's settings state how it is authenticated, encrypted, signed or verified, or give it
    /// cookies or attempt interceptors, because such settings cannot be compared. If an attempt interceptor of the client or
    /// service says who asks, the others ask for themselves once they see that.
    ///
    /// The default is `false` because a shared answer can be older than its call: another client can change the
    /// resource after the request and before the call. The client's own changes are known: a call that follows a change
    /// of the same URL begins a new request.
    public var coalesces: Bool? {
        get { self[Settings.coalesces] }
        set { self[Settings.coalesces] = newValue }
    }
}

extension Settings {
    package static let coalesces = Setting("coalesces", default: false) {
        $0.stages = { coalesces, scope in
            coalesces ? [SeatedStage(.coalesce, CoalesceInterceptor(in: scope))] + CallerMarkInterceptor.stages(in: scope) : []
        }
    }
}

extension Seat {
    /// Below the cache, so that a stored answer needs no flight.
    static let coalesce = Seat(.answering, order: 20)
}
