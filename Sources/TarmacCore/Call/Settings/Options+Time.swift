extension Options {
    /// The longest time of one attempt: until the end of a buffered body or the head of a streamed response. Default:
    /// 60 s.
    ///
    /// For an upload, the time starts again whenever bytes are sent, so an upload that makes progress does not time out.
    public var timeout: TimeLimit? {
        get { self[Timeout.self] }
        set { self[Timeout.self] = newValue }
    }

    /// The longest time one attempt may take to connect: name resolution, TCP, proxy and TLS. Default: 10 s.
    ///
    /// A transport that cannot report connections, such as URLSession, includes this time in ``timeout``. With such a
    /// transport, any value set here other than `.unlimited` throws `TarmacError(.unsupported)`.
    public var connectTimeout: TimeLimit? {
        get { self[ConnectTimeout.self] }
        set { self[ConnectTimeout.self] = newValue }
    }

    /// The longest time a call may wait for a dispatch slot. Default: unlimited.
    public var queueTimeout: TimeLimit? {
        get { self[QueueTimeout.self] }
        set { self[QueueTimeout.self] = newValue }
    }

    /// The longest gap between two bytes of a response that the caller is waiting for, or of the body of an upload.
    /// Default: 60 s.
    public var idleTimeout: TimeLimit? {
        get { self[IdleTimeout.self] }
        set { self[IdleTimeout.self] = newValue }
    }

    /// The longest time of the whole call, including waiting, redirects and retries. Default: unlimited.
    public var deadline: TimeLimit? {
        get { self[Deadline.self] }
        set { self[Deadline.self] = newValue }
    }

    /// The time after which a call still in flight emits ``CallEvent/Kind/slow(after:)``. The call continues. The
    /// time counts from the start of the call. Default: `.unlimited`, so the event is never emitted.
    public var slowCall: TimeLimit? {
        get { self[SlowCall.self] }
        set { self[SlowCall.self] = newValue }
    }
}

/// A setting that is a ``TimeLimit``.
protocol TimeLimitOption: KernelOption where Value == TimeLimit {}

extension TimeLimitOption {
    static func fault(of value: TimeLimit) -> String? { value.fault }
}

enum Timeout: TimeLimitOption {
    static let name = "timeout"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.timeout }
}

enum ConnectTimeout: TimeLimitOption {
    static let name = "connectTimeout"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.connectTimeout }

    static func refusal(of value: TimeLimit, by capabilities: TransportCapabilities) -> String? {
        capabilities.contains(.connectionReports) || value == .unlimited ? nil : "does not tell when a connection is made; timeout covers connecting too"
    }
}

enum QueueTimeout: TimeLimitOption {
    static let name = "queueTimeout"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.queueTimeout }
}

enum IdleTimeout: TimeLimitOption {
    static let name = "idleTimeout"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.idleTimeout }
}

enum Deadline: TimeLimitOption {
    static let name = "deadline"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.deadline }
}

enum SlowCall: TimeLimitOption {
    static let name = "slowCall"
    static var field: WritableKeyPath<OptionValues, TimeLimit> { \.slowCall }
}
