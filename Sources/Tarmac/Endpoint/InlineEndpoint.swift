/// A call described in one line, for what is called from one place (QSP-31).
///
/// ```swift
/// client.start(.get("/regeo", ["location": here], as: JSON.self), owner: self) { owner, result in … }
/// ```
public struct InlineEndpoint<Value: Sendable>: Endpoint {
    /// Not used: every inline endpoint has a route of its own.
    public static var route: Route { .get("/") }

    public var service: Service
    public var route: Route
    public var landing: Landing<Value>
    private var list: ParameterList
    private var ownBody: Body?
    private var options: Options

    /// An endpoint of parts. `.get`, `.post` and the others are shorter.
    public init(
        _ route: Route, _ parameters: ParameterList = [:], body: Body? = nil, landing: Landing<Value>,
        service: Service = .clientDefault, options: Options = Options()
    ) {
        self.route = route
        self.landing = landing
        self.service = service
        self.options = options
        list = parameters
        ownBody = body
    }

    /// Method and template, such as `GET /users/{id}`.
    public var name: String { "\(route)" }
    public func parameters() throws -> ParameterList { list }
    public func body() throws -> Body? { ownBody }
    public func configure(_ options: inout Options) { options = self.options }

    /// The same call to another service.
    public func on(_ service: Service) -> Self {
        var copy = self
        copy.service = service
        return copy
    }

    /// The same call with a layer of settings.
    public func with(_ configure: (inout Options) -> Void) -> Self {
        var copy = self
        configure(&copy.options)
        return copy
    }
}
