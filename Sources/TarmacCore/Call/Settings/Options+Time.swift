extension Options {
    /// The longest time of one attempt: until the end of a buffered body or the head of a streamed response. Default:
    /// 60 s.
    ///
    /// For an upload, the time starts again whenever bytes are sent, so an upload that makes progress does not time out.
    public var timeout: TimeLimit? {
        get { self[Settings.timeout] }
        set { self[Settings.timeout] = newValue }
    }

    /// The longest time one attempt may take to connect, the wait for a busy connection included: name resolution, TCP, proxy and TLS. Default: 10 s.
    ///
    /// A transport that cannot report connections, such as URLSession, includes this time in ``timeout``. With such a
    /// transport, any value set here other than `.unlimited` throws `TarmacError(.unsupported)`.
    public var connectTimeout: TimeLimit? {
        get { self[Settings.connectTimeout] }
        set { self[Settings.connectTimeout] = newValue }
    }

    /// The longest time a call may wait for a dispatch slot, a network or a rate limit. Default: 2 minutes for a slot, no limit for the others.
    ///
    /// `.unlimited` lets a call wait for a slot as long as its ``deadline`` allows.
    public var queueTimeout: TimeLimit? {
        get { self[Settings.queueTimeout] }
        set { self[Settings.queueTimeout] = newValue }
    }

    /// The longest gap between two bytes of a response that the caller is waiting for, or of the body of an upload.
    /// Default: 60 s.
    public var idleTimeout: TimeLimit? {
        get { self[Settings.idleTimeout] }
        set { self[Settings.idleTimeout] = newValue }
    }

    /// The longest time of the whole call, including waiting, redirects and retries. Default: unlimited.
    public var deadline: TimeLimit? {
        get { self[Settings.deadline] }
        set { self[Settings.deadline] = newValue }
    }

    /// The time after which a call still in flight emits ``CallEvent/Kind/slow(after:)``. The call continues. The
    /// time counts from the start of the call. Default: `.unlimited`, so the event is never emitted.
    public var slowCall: TimeLimit? {
        get { self[Settings.slowCall] }
        set { self[Settings.slowCall] = newValue }
    }
}

extension Settings {
    static let timeout = Setting("timeout", \.timeout) {
        $0.fault = { $0.fault }
    }

    static let connectTimeout = Setting("connectTimeout", \.connectTimeout) {
        $0.fault = { $0.fault }
        $0.refusal = { value, capabilities in
            capabilities.contains(.connectionReports) || value == .unlimited ? nil : "does not tell when a connection is made; timeout covers connecting too"
        }
    }

    static let queueTimeout = Setting("queueTimeout", \.queueTimeout) {
        $0.fault = { $0.fault }
    }

    static let idleTimeout = Setting("idleTimeout", \.idleTimeout) {
        $0.fault = { $0.fault }
    }

    static let deadline = Setting("deadline", \.deadline) {
        $0.fault = { $0.fault }
    }

    static let slowCall = Setting("slowCall", \.slowCall) {
        $0.fault = { $0.fault }
    }
}
