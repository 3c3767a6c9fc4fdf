#if Tools
import HTTPTypes
import Tarmac
import TarmacSigning

/// A command's arguments, understood and checked; nothing is sent yet.
struct CallPlan {
    let endpoint: CommandEndpoint
    let transport: TransportChoice
    /// The file to write to; standard output when there is none.
    let output: String?
    /// The notes that are written before anything is sent.
    let warnings: [String]

    init(_ method: HTTPRequest.Method, _ arguments: CallArguments) throws(TarmacError) {
        let url = try URLArgument.url(arguments.url)
        var options = Options()
        // A setting nobody made is not to be explained as made here.
        if !arguments.header.isEmpty { try HeaderArgument.apply(arguments.header, to: &options.headers) }
        // What is printed is printed as it arrives, and streams ask for no compression; --curl is to show the same.
        options.acceptsCompression = false
        if try Self.wantsForm(method, arguments) { options.bodyFormat = .form }
        // Whoever types http means it, and is told what it means.
        let isPlain = !url.isSecure && !url.isLoopback
        if isPlain { options.allowsInsecureHTTP = true }
        try CacheArgument.check(arguments)
        if arguments.cache != nil { options.cache = .http }
        if let timeout = arguments.timeout {
            options.timeout = .seconds(timeout)
            options.deadline = .seconds(timeout)
        }
        let signKey = try SignKeyArgument(arguments)
        if let signKey { options.signing = .signer(signKey.signer) }
        endpoint = CommandEndpoint(
            method: method, url: url, list: try Self.parameters(arguments), data: try Self.data(arguments), isSigned: signKey != nil,
            options: options, connection: try arguments.trust.settings(for: url))
        transport = arguments.transport
        output = try OutputArgument.file(arguments.output)
        warnings = Self.warnings(arguments, url, isPlain: isPlain)
    }

    private static func warnings(_ arguments: CallArguments, _ url: HTTPURL, isPlain: Bool) -> [String] {
        var warnings = arguments.trust.warnings(for: url)
        if isPlain { warnings.append("http: the call to \(url.origin) is NOT encrypted. Anyone on the way can read and change it.") }
        return warnings
    }

    private static func parameters(_ arguments: CallArguments) throws(TarmacError) -> ParameterList {
        var list = ParameterList()
        for text in arguments.query { list.append(try FieldArgument.query(text)) }
        for text in arguments.fields { list.append(try FieldArgument.field(text)) }
        return list
    }

    private static func wantsForm(_ method: HTTPRequest.Method, _ arguments: CallArguments) throws(TarmacError) -> Bool {
        guard arguments.form, [.get, .head, .delete, .options].contains(method) else { return arguments.form }
        throw TarmacError(
            .invalidOption, "--form makes a body, and the fields of a \(method.rawValue) are its query",
            suggestion: "leave --form out, or use another method")
    }

    private static func data(_ arguments: CallArguments) throws(TarmacError) -> DataArgument? {
        guard let data = arguments.data else { return nil }
        guard arguments.fields.isEmpty, !arguments.form else {
            throw TarmacError(
                .invalidOption, "--data is the whole body, and fields or --form would make one too",
                suggestion: "use one of them; -q name=value adds to the query")
        }
        return DataArgument(data)
    }
}

/// A call typed on the command line, as an endpoint like any other.
struct CommandEndpoint: Endpoint {
    typealias Value = Void
    /// Not used: every command has a route of its own.
    static var route: Route { .get("/") }

    let method: HTTPRequest.Method
    let url: HTTPURL
    let list: ParameterList
    let data: DataArgument?
    let isSigned: Bool
    let options: Options
    let connection: ConnectionSettings

    var endpointName: String { "tarmac \(method.rawValue.lowercased())" }
    // An HTTPURL holds no braces, so it is a template that stands for itself.
    var route: Route { .method(method.rawValue, url.string) }
    var service: Service { Service("command", host: Hosts(url.origin.description), connection: connection) }
    func parameters() throws -> ParameterList { list }
    func body() throws -> Body? { try data.map { try isSigned ? SignKeyArgument.body($0) : $0.body() } }
    func configure(_ options: inout Options) { options = self.options }
}
#endif
