import HTTPTypes
import TarmacJSON

extension Options {
    /// The header fields. They merge per name with the layers below. Default: none.
    ///
    /// Those of client and service are sent to the service's own hosts. `Accept`, `User-Agent` and `Accept-Encoding` replace the standard
    /// fields; streams and requests with a `Range` keep the coding `identity`.
    public var headers: HeaderSettings {
        get { self[Headers.self, empty: HeaderSettings()] }
        _modify { yield &self[Headers.self, empty: HeaderSettings()] }
    }

    /// The User-Agent field. Default: the program's name, Tarmac's name and version, and the platform.
    public var userAgent: UserAgent? {
        get { self[UserAgentOption.self] }
        set { self[UserAgentOption.self] = newValue }
    }

    /// The host of the service to call. Default: its origin.
    public var host: HostKind? {
        get { self[HostOption.self] }
        set { self[HostOption.self] = newValue }
    }

    /// The encoder that turns parameters into a query. Default: see ``QueryEncoder``.
    public var query: QueryEncoder? {
        get { self[QueryOption.self] }
        set { self[QueryOption.self] = newValue }
    }

    /// The format of bodies made from parameters. Default: JSON.
    public var bodyFormat: BodyFormat? {
        get { self[BodyFormatOption.self] }
        set { self[BodyFormatOption.self] = newValue }
    }

    /// The parameters that every call sends. A call's own parameter of the same name wins. Layers merge per name.
    /// Default: none.
    public var parameters: ParameterList {
        get { self[CommonParameters.self, empty: ParameterList()] }
        _modify { yield &self[CommonParameters.self, empty: ParameterList()] }
    }

    /// The encoder of JSON bodies. Default: Tarmac's own. It does not affect bodies that an endpoint makes itself;
    /// see ``Body/json(_:encoder:)``.
    public var encoder: BodyEncoder? {
        get { self[EncoderOption.self] }
        set { self[EncoderOption.self] = newValue }
    }

    /// The transforms that change parameters before encoding, for example to sign, encrypt or filter them. Layers
    /// append, lowest first. Default: none.
    public var parameterTransforms: [any ParameterTransform] {
        get { self[ParameterTransforms.self, empty: []] }
        _modify { yield &self[ParameterTransforms.self, empty: []] }
    }

    /// The priority of a call that waits for a dispatch slot. Default: normal.
    public var priority: CallPriority? {
        get { self[PriorityOption.self] }
        set { self[PriorityOption.self] = newValue }
    }

    /// Whether redirects are followed, and how many. Default: up to 10.
    public var redirects: RedirectRule? {
        get { self[Redirects.self] }
        set { self[Redirects.self] = newValue }
    }

    /// Whether the client asks for compressed responses. Default: `true`. Responses delivered as a stream or to a
    /// file are requested uncompressed.
    public var acceptsCompression: Bool? {
        get { self[AcceptsCompression.self] }
        set { self[AcceptsCompression.self] = newValue }
    }

    /// Additional names of header fields, parameters, form fields and JSON members that are secret. Layers add up. Default:
    /// none beyond ``Redactor/standard``.
    public var secretNames: Set<String> {
        get { self[SecretNamesOption.self, empty: []] }
        _modify { yield &self[SecretNamesOption.self, empty: []] }
    }

    /// Names whose values are shown although ``Redactor/standard`` or a lower layer hides them. Layers add up, and a name in
    /// ``secretNames`` of the same or a higher layer is hidden again. Values that are secret by their shape stay hidden.
    /// Default: none.
    public var shownNames: Set<String> {
        get { self[ShownNamesOption.self, empty: []] }
        _modify { yield &self[ShownNamesOption.self, empty: []] }
    }
}

enum Headers: KernelOption {
    static let name = "headers"
    typealias Value = HeaderSettings
    static var field: WritableKeyPath<OptionValues, HeaderSettings> { \.headers }
    static func merge(_ upper: HeaderSettings, over lower: HeaderSettings) -> HeaderSettings { upper.merged(over: lower) }
    static func describe(_ value: HeaderSettings) -> String { value.names.joined(separator: ", ") }
}

enum UserAgentOption: KernelOption {
    static let name = "userAgent"
    typealias Value = UserAgent
    static var field: WritableKeyPath<OptionValues, UserAgent> { \.userAgent }
    static func fault(of value: UserAgent) -> String? {
        guard let text = value.text else { return nil }
        return (try? HTTPField.checked("User-Agent", text)) == nil ? "it holds a control character" : nil
    }
}

enum HostOption: KernelOption {
    static let name = "host"
    static var sharing: ResponseSharing { .compared }
    typealias Value = HostKind
    static var field: WritableKeyPath<OptionValues, HostKind> { \.host }
}

enum QueryOption: KernelOption {
    static let name = "query"
    typealias Value = QueryEncoder
    static var field: WritableKeyPath<OptionValues, QueryEncoder> { \.query }
}

enum BodyFormatOption: KernelOption {
    static let name = "bodyFormat"
    typealias Value = BodyFormat
    static var field: WritableKeyPath<OptionValues, BodyFormat> { \.bodyFormat }
}

enum EncoderOption: KernelOption {
    static let name = "encoder"
    typealias Value = BodyEncoder
    static var field: WritableKeyPath<OptionValues, BodyEncoder> { \.encoder }
}

enum CommonParameters: KernelOption {
    static let name = "parameters"
    typealias Value = ParameterList
    static var field: WritableKeyPath<OptionValues, ParameterList> { \.parameters }
    static func merge(_ upper: ParameterList, over lower: ParameterList) -> ParameterList { upper.merged(over: lower) }
    static func describe(_ value: ParameterList) -> String { value.map(\.name).joined(separator: ", ") }
}

enum ParameterTransforms: KernelOption {
    static let name = "parameterTransforms"
    typealias Value = [any ParameterTransform]
    static var field: WritableKeyPath<OptionValues, [any ParameterTransform]> { \.parameterTransforms }
    static func merge(_ upper: [any ParameterTransform], over lower: [any ParameterTransform]) -> [any ParameterTransform] { lower + upper }
    static func describe(_ value: [any ParameterTransform]) -> String { typeNames(value) }
}

enum PriorityOption: KernelOption {
    static let name = "priority"
    typealias Value = CallPriority
    static var field: WritableKeyPath<OptionValues, CallPriority> { \.priority }
}

enum Redirects: KernelOption {
    static let name = "redirects"
    typealias Value = RedirectRule
    static var field: WritableKeyPath<OptionValues, RedirectRule> { \.redirects }
    static func fault(of value: RedirectRule) -> String? { value.fault }
}

enum AcceptsCompression: KernelOption {
    static let name = "acceptsCompression"
    typealias Value = Bool
    static var field: WritableKeyPath<OptionValues, Bool> { \.acceptsCompression }
}

/// A setting that names the values to hide or to show.
protocol MaskedNamesOption: KernelOption where Value == Set<String> {}

extension MaskedNamesOption {
    static var sharing: ResponseSharing { .compared }
    static func merge(_ upper: Set<String>, over lower: Set<String>) -> Set<String> { lower.union(upper) }
    static func describe(_ value: Set<String>) -> String { value.ordered().joined(separator: ", ") }
}

enum SecretNamesOption: MaskedNamesOption {
    static let name = "secretNames"
    static var field: WritableKeyPath<OptionValues, Set<String>> { \.secretNames }
}

enum ShownNamesOption: MaskedNamesOption {
    static let name = "shownNames"
    static var field: WritableKeyPath<OptionValues, Set<String>> { \.shownNames }
}

/// Returns the type names of a list of plug-ins, for `explain`.
func typeNames(_ values: [Any]) -> String {
    values.isEmpty ? "none" : values.map { "\(type(of: $0))" }.joined(separator: ", ")
}
