extension Options {
    /// Whether a call may use the cellular network. Default: `true`.
    ///
    /// With `false`, a call throws `TarmacError(.unsupported)` if its transport cannot restrict networks. Only
    /// URLSession on Apple platforms can.
    public var allowsCellularAccess: Bool? {
        get { self[AllowsCellularAccess.self] }
        set { self[AllowsCellularAccess.self] = newValue }
    }

    /// Whether a call may use a network that the system considers expensive, such as a personal hotspot. Default:
    /// `true`. `false` has the same requirement as in ``allowsCellularAccess``.
    public var allowsExpensiveNetworkAccess: Bool? {
        get { self[AllowsExpensiveNetworkAccess.self] }
        set { self[AllowsExpensiveNetworkAccess.self] = newValue }
    }

    /// Whether a call may use a network in Low Data Mode. Default: `true`. `false` has the same requirement as in
    /// ``allowsCellularAccess``.
    public var allowsConstrainedNetworkAccess: Bool? {
        get { self[AllowsConstrainedNetworkAccess.self] }
        set { self[AllowsConstrainedNetworkAccess.self] = newValue }
    }
}

/// A setting that keeps calls off a kind of network.
protocol NetworkSwitch: KernelOption where Value == Bool {}

extension NetworkSwitch {
    static var sharing: ResponseSharing { .compared }
    static func refusal(of value: Bool, by capabilities: TransportCapabilities) -> String? {
        value || capabilities.contains(.networkAccess) ? nil : "cannot keep a request off a network"
    }
}

enum AllowsCellularAccess: NetworkSwitch {
    static let name = "allowsCellularAccess"
    static var field: WritableKeyPath<OptionValues, Bool> { \.allowsCellularAccess }
}

enum AllowsExpensiveNetworkAccess: NetworkSwitch {
    static let name = "allowsExpensiveNetworkAccess"
    static var field: WritableKeyPath<OptionValues, Bool> { \.allowsExpensiveNetworkAccess }
}

enum AllowsConstrainedNetworkAccess: NetworkSwitch {
    static let name = "allowsConstrainedNetworkAccess"
    static var field: WritableKeyPath<OptionValues, Bool> { \.allowsConstrainedNetworkAccess }
}

extension ResolvedOptions {
    /// The networks that a call may use.
    var networkAccess: NetworkAccess {
        // Reads each setting separately: copying them all would cost more.
        var access = NetworkAccess.all
        access.allowsCellular = values.allowsCellularAccess
        access.allowsExpensive = values.allowsExpensiveNetworkAccess
        access.allowsConstrained = values.allowsConstrainedNetworkAccess
        return access
    }
}
