extension Options {
    /// A path between the host's base URL and every route, for a service that is one part of a backend.
    ///
    /// Absolute routes ignore it. Default: none. Set `""` to remove a lower layer's path.
    ///
    /// ```swift
    /// let company: [ServiceEnvironment: Hosts] = [.production: "https://api.company.example/v2", .test: "https://test.company.example"]
    /// let orders = Service("orders", hosts: company) { $0.subPath = "/orders" }     // …/v2/orders/{id}
    /// ```
    public var subPath: String? {
        get { self[Settings.subPath] }
        set { self[Settings.subPath] = newValue }
    }

    /// The filters that change the URL of every call to the service's own hosts before it is sent. Layers append,
    /// lowest first. Default: none.
    public var urlFilters: [any URLFilter] {
        get { self[Settings.urlFilters, empty: []] }
        _modify { yield &self[Settings.urlFilters, empty: []] }
    }

    /// Whether requests may use plain `http` to other machines, where everyone on the path can read and change them.
    ///
    /// Default: `false`. Such a request throws `TarmacError(.insecureHTTP)` and is not sent. If it is allowed, each
    /// request emits a warning event. Requests to this machine (`localhost`, `127.0.0.0/8`, `::1`, a Unix domain
    /// socket) are always allowed.
    public var allowsInsecureHTTP: Bool? {
        get { self[Settings.allowsInsecureHTTP] }
        set { self[Settings.allowsInsecureHTTP] = newValue }
    }
}

extension Settings {
    static let subPath = Setting("subPath", \.subPath) {
        $0.describe = { value in value.isEmpty ? "none" : value }
        $0.fault = { value in SubPath.fault(of: value) }
    }

    static let urlFilters = Setting("urlFilters", \.urlFilters) {
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { typeNames($0) }
    }

    static let allowsInsecureHTTP = Setting("allowsInsecureHTTP", \.allowsInsecureHTTP) {
        $0.sharing = .compared
        $0.describe = { value in value ? "true, PLAIN http IS SENT" : "false" }
    }
}
