/// A call described in one line, for what is called from one place (QSP-31).
///
/// ```swift
/// client.start(.get("/regeo", ["location": here], as: JSON.self), owner: self) { owner, result in … }
/// ```
public struct InlineEndpoint<Value: Sendable>: Endpoint {
    /// Not used: every inline endpoint has a route of its own.
    public static var route: Route { .get("/") }

    // One reference: an endpoint is handed over far more often than it is changed.
    private var parts: CopyOnWrite<InlineEndpointParts>
    public var landing: Landing<Value>

    public var service: Service {
        get { parts.value.service }
        set { parts.value.service = newValue }
    }
    public var route: Route {
        get { parts.value.route }
        set { parts.value.route = newValue }
    }

    /// An endpoint of parts. `.get`, `.post` and the others are shorter.
    public init(
        _ route: Route, _ parameters: ParameterList = [:], body: Body? = nil, landing: Landing<Value>,
        service: Service = .clientDefault, options: Options = Options()
    ) {
        self.landing = landing
        parts = CopyOnWrite(InlineEndpointParts(service: service, route: route, parameters: parameters, body: body, options: options))
    }

    /// Method and template, such as `GET /users/{id}`.
    public var endpointName: String { "\(route)" }
    public func parameters() throws -> ParameterList { parts.value.parameters }
    public func body() throws -> Body? { parts.value.body }
    public func configure(_ options: inout Options) { options = parts.value.options }

    /// The same call to another service.
    public consuming func on(_ service: Service) -> Self {
        self.service = service
        return self
    }

    /// The same call with a layer of settings.
    public func with(_ configure: (inout Options) -> Void) -> Self {
        var copy = self
        configure(&copy.parts.value.options)
        return copy
    }
}

// Not within: what is generic is made by its type at run time, with each call.
private struct InlineEndpointParts: Sendable {
    var service: Service
    var route: Route
    var parameters: ParameterList
    var body: Body?
    var options: Options
}
