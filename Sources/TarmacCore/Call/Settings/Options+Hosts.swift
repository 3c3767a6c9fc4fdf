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
        get { self[SubPathOption.self] }
        set { self[SubPathOption.self] = newValue }
    }

    /// The filters that change the URL of every call to the service's own hosts before it is sent. Layers append,
    /// lowest first. Default: none.
    public var urlFilters: [any URLFilter] {
        get { self[URLFilters.self, empty: []] }
        _modify { yield &self[URLFilters.self, empty: []] }
    }

    /// Whether requests may use plain `http` to other machines, where everyone on the path can read and change them.
    ///
    /// Default: `false`. Such a request throws `TarmacError(.insecureHTTP)` and is not sent. If it is allowed, each
    /// request emits a warning event. Requests to this machine (`localhost`, `127.0.0.0/8`, `::1`, a Unix domain
    /// socket) are always allowed.
    public var allowsInsecureHTTP: Bool? {
        get { self[AllowsInsecureHTTP.self] }
        set { self[AllowsInsecureHTTP.self] = newValue }
    }
}

enum SubPathOption: KernelOption {
    static let name = "subPath"
    typealias Value = String
    static var field: WritableKeyPath<OptionValues, String> { \.subPath }
    static func describe(_ value: String) -> String { value.isEmpty ? "none" : value }
    static func fault(of value: String) -> String? { SubPath.fault(of: value) }
}

enum URLFilters: KernelOption {
    static let name = "urlFilters"
    typealias Value = [any URLFilter]
    static var field: WritableKeyPath<OptionValues, [any URLFilter]> { \.urlFilters }
    static func merge(_ upper: [any URLFilter], over lower: [any URLFilter]) -> [any URLFilter] { lower + upper }
    static func describe(_ value: [any URLFilter]) -> String { typeNames(value) }
}

enum AllowsInsecureHTTP: KernelOption {
    static let name = "allowsInsecureHTTP"
    static var sharing: ResponseSharing { .compared }
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.allowsInsecureHTTP }
    static func describe(_ value: Bool) -> String { value ? "true, PLAIN http IS SENT" : "false" }
}
