extension Options {
    /// Whether a call may use the cellular network (YTK-13). Default: yes. `false` is `TarmacError(.unsupported)` over a
    /// transport that cannot keep a request off a network: all but URLSession on Apple platforms.
    public var allowsCellularAccess: Bool? {
        get { self[AllowsCellularAccess.self] }
        set { self[AllowsCellularAccess.self] = newValue }
    }

    /// Whether a call may use a network the system takes for expensive, such as a personal hotspot. Default: yes; `false`
    /// as for ``allowsCellularAccess``.
    public var allowsExpensiveNetworkAccess: Bool? {
        get { self[AllowsExpensiveNetworkAccess.self] }
        set { self[AllowsExpensiveNetworkAccess.self] = newValue }
    }

    /// Whether a call may use a network in Low Data Mode. Default: yes; `false` as for ``allowsCellularAccess``.
    public var allowsConstrainedNetworkAccess: Bool? {
        get { self[AllowsConstrainedNetworkAccess.self] }
        set { self[AllowsConstrainedNetworkAccess.self] = newValue }
    }
}

/// A switch that keeps calls off a network.
protocol NetworkSwitch: KernelOption where Value == Bool {}

extension NetworkSwitch {
    static var sharing: AnswerSharing { .compared }
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
    /// Which networks a call may go over.
    var networkAccess: NetworkAccess {
        // Each setting by itself: a copy of them all would cost more.
        var access = NetworkAccess.all
        access.allowsCellular = values.allowsCellularAccess
        access.allowsExpensive = values.allowsExpensiveNetworkAccess
        access.allowsConstrained = values.allowsConstrainedNetworkAccess
        return access
    }
}
