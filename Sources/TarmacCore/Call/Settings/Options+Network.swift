extension Options {
    /// The networks that a call may use, such as `NetworkAccess(allowsCellular: false)`. Default: every network.
    ///
    /// If it forbids one, a call throws `TarmacError(.unsupported)` if its transport cannot restrict networks. Only
    /// URLSession on Apple platforms can.
    public var networkAccess: NetworkAccess? {
        get { self[Settings.networkAccess] }
        set { self[Settings.networkAccess] = newValue }
    }
}

extension Settings {
    static let networkAccess = Setting("networkAccess", \.networkAccess) {
        $0.sharing = .compared
        $0.refusal = { value, capabilities in
            value == NetworkAccess() || capabilities.contains(.networkAccess) ? nil : "cannot keep a request off a network"
        }
    }
}
