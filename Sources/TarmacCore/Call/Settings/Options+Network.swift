extension Options {
    /// The networks that a call may use, such as `NetworkAccess(allowsCellular: false)`. Default: every network.
    ///
    /// If it forbids one, a call throws `TarmacError(.unsupported)` if its transport cannot restrict networks. Only
    /// URLSession on Apple platforms can.
    public var networkAccess: NetworkAccess? {
        get { self[NetworkAccessOption.self] }
        set { self[NetworkAccessOption.self] = newValue }
    }
}

enum NetworkAccessOption: KernelOption {
    static let name = "networkAccess"
    static var field: WritableKeyPath<OptionValues, NetworkAccess> { \.networkAccess }
    static var sharing: ResponseSharing { .compared }
    static func refusal(of value: NetworkAccess, by capabilities: TransportCapabilities) -> String? {
        value == NetworkAccess() || capabilities.contains(.networkAccess) ? nil : "cannot keep a request off a network"
    }
}
