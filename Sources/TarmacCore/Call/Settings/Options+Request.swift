import HTTPTypes
import TarmacJSON

extension Options {
    /// The header fields. They merge per name with the layers below. Default: none.
    ///
    /// Those of client and service are sent to the service's own hosts. `Accept`, `User-Agent` and `Accept-Encoding` replace the standard
    /// fields; streams and requests with a `Range` keep the coding `identity`.
    public var headers: HeaderSettings {
        get { self[Settings.headers, empty: HeaderSettings()] }
        _modify { yield &self[Settings.headers, empty: HeaderSettings()] }
    }

    /// The User-Agent field. Default: the program's name, Tarmac's name and version, and the platform.
    public var userAgent: UserAgent? {
        get { self[Settings.userAgent] }
        set { self[Settings.userAgent] = newValue }
    }

    /// The host of the service to call. Default: its origin.
    public var host: HostKind? {
        get { self[Settings.host] }
        set { self[Settings.host] = newValue }
    }

    /// The encoder that turns parameters into a query. Default: see ``QueryEncoder``.
    public var query: QueryEncoder? {
        get { self[Settings.query] }
        set { self[Settings.query] = newValue }
    }

    /// The format of bodies made from parameters. Default: JSON.
    public var bodyFormat: BodyFormat? {
        get { self[Settings.bodyFormat] }
        set { self[Settings.bodyFormat] = newValue }
    }

    /// The parameters that every call sends. A call's own parameter of the same name wins. Layers merge per name.
    /// Default: none.
    public var parameters: ParameterList {
        get { self[Settings.parameters, empty: ParameterList()] }
        _modify { yield &self[Settings.parameters, empty: ParameterList()] }
    }

    /// The encoder of JSON bodies. Default: Tarmac's own. It does not affect bodies that an endpoint makes itself;
    /// see ``Body/json(_:encoder:)``.
    public var encoder: BodyEncoder? {
        get { self[Settings.encoder] }
        set { self[Settings.encoder] = newValue }
    }

    /// The transforms that change parameters before encoding, for example to sign, encrypt or filter them. Layers
    /// append, lowest first. Default: none.
    public var parameterTransforms: [any ParameterTransform] {
        get { self[Settings.parameterTransforms, empty: []] }
        _modify { yield &self[Settings.parameterTransforms, empty: []] }
    }

    /// The priority of a call that waits for a dispatch slot. Default: normal.
    public var priority: CallPriority? {
        get { self[Settings.priority] }
        set { self[Settings.priority] = newValue }
    }

    /// Whether redirects are followed, and how many. Default: up to 10.
    public var redirects: RedirectRule? {
        get { self[Settings.redirects] }
        set { self[Settings.redirects] = newValue }
    }

    /// Whether the client asks for compressed responses. Default: `true`. Responses delivered as a stream or to a
    /// file are requested uncompressed.
    public var acceptsCompression: Bool? {
        get { self[Settings.acceptsCompression] }
        set { self[Settings.acceptsCompression] = newValue }
    }

    /// Additional names of header fields, parameters, form fields and JSON members that are secret. Layers add up. Default:
    /// none beyond ``Redactor/standard``.
    public var secretNames: Set<String> {
        get { self[Settings.secretNames, empty: []] }
        _modify { yield &self[Settings.secretNames, empty: []] }
    }

    /// Names whose values are shown although ``Redactor/standard`` or a lower layer hides them. Layers add up, and a name in
    /// ``secretNames`` of the same or a higher layer is hidden again. Values that are secret by their shape stay hidden.
    /// Default: none.
    public var shownNames: Set<String> {
        get { self[Settings.shownNames, empty: []] }
        _modify { yield &self[Settings.shownNames, empty: []] }
    }
}

extension Settings {
    static let headers = Setting("headers", \.headers) {
        $0.merge = { upper, lower in upper.merged(over: lower) }
        $0.describe = { value in value.names.joined(separator: ", ") }
    }

    static let userAgent = Setting("userAgent", \.userAgent) {
        $0.fault = { value in
            guard let text = value.text else { return nil }
            return (try? HTTPField.checked("User-Agent", text)) == nil ? "it holds a control character" : nil
        }
    }

    static let host = Setting("host", \.host) {
        $0.sharing = .compared
    }

    static let query = Setting("query", \.query)
    static let bodyFormat = Setting("bodyFormat", \.bodyFormat)
    static let encoder = Setting("encoder", \.encoder)

    static let parameters = Setting("parameters", \.parameters) {
        $0.merge = { upper, lower in upper.merged(over: lower) }
        $0.describe = { value in value.map(\.name).joined(separator: ", ") }
    }

    static let parameterTransforms = Setting("parameterTransforms", \.parameterTransforms) {
        $0.merge = { upper, lower in lower + upper }
        $0.describe = { typeNames($0) }
    }

    static let priority = Setting("priority", \.priority)

    static let redirects = Setting("redirects", \.redirects) {
        $0.fault = { $0.fault }
    }

    static let acceptsCompression = Setting("acceptsCompression", \.acceptsCompression)

    static let secretNames = Setting("secretNames", \.secretNames) {
        $0.sharing = .compared
        $0.merge = { upper, lower in lower.union(upper) }
        $0.describe = { $0.ordered().joined(separator: ", ") }
    }

    static let shownNames = Setting("shownNames", \.shownNames) {
        $0.sharing = .compared
        $0.merge = { upper, lower in lower.union(upper) }
        $0.describe = { $0.ordered().joined(separator: ", ") }
    }
}

/// Returns the type names of a list of plug-ins, for `explain`.
func typeNames(_ values: [Any]) -> String {
    values.isEmpty ? "none" : values.map { "\(type(of: $0))" }.joined(separator: ", ")
}
