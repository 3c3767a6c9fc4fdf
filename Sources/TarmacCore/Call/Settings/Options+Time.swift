extension Options {
    /// How long one attempt may take: to the end of a buffered body, to the head of a streamed one. Default 60 s. Of an upload
    /// (``Client/upload(_:to:configure:progress:)``) it counts from the last bytes that left, so that one that comes on is not ended.
    public var timeout: TimeLimit? {
        get { self[Timeout.self] }
        set { self[Timeout.self] = newValue }
    }

    /// How long one attempt may look for a connection: name, TCP, proxy and TLS. Default 10 s.
    /// A transport that cannot tell, such as URLSession, counts it into ``timeout``, and refuses a value set here
    /// with `TarmacError(.unsupported)`.
    public var connectTimeout: TimeLimit? {
        get { self[ConnectTimeout.self] }
        set { self[ConnectTimeout.self] = newValue }
    }

    /// How long a call may wait for a dispatch slot. Default: unlimited.
    public var queueTimeout: TimeLimit? {
        get { self[QueueTimeout.self] }
        set { self[QueueTimeout.self] = newValue }
    }

    /// The longest gap between two bytes of a response that somebody is waiting for, and of the body of an upload. Default 60 s.
    public var idleTimeout: TimeLimit? {
        get { self[IdleTimeout.self] }
        set { self[IdleTimeout.self] = newValue }
    }

    /// How long the whole call may take, waiting, redirects and every further attempt included. Default: unlimited.
    public var deadline: TimeLimit? {
        get { self[Deadline.self] }
        set { self[Deadline.self] = newValue }
    }

    /// When a call that still flies is said to be slow, in an event (``CallEvent/Kind/slow(after:)``); it goes on. Counted from
    /// take-off. Default: never, `.unlimited`.
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
