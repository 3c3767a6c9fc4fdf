@_spi(TarmacRooms) import TarmacHTTP

/// A call described at the place where it is made, without its own endpoint type.
///
/// ```swift
/// client.start(.get("/regeo", ["location": here], as: JSON.self), owner: self) { owner, result in … }
/// ```
public struct InlineEndpoint<Value: Sendable>: Endpoint {
    /// Not used, because every inline endpoint has its own route.
    public static var route: Route { .get("/") }

    // One reference: an endpoint is passed on far more often than it is changed.
    private var parts: CopyOnWrite<InlineCall>
    /// The conversion of the response into a value.
    public var landing: Landing<Value>

    /// The service that receives the call. Default: the client's first.
    public var service: Service {
        get { parts.value.service }
        set { parts.value.service = newValue }
    }
    /// The method and the URI template.
    public var route: Route {
        get { parts.value.route }
        set { parts.value.route = newValue }
    }

    /// Creates an endpoint. `.get`, `.post` and the other factories of ``Endpoint`` are shorter.
    ///
    /// - Parameters:
    ///   - route: the method and the URI template.
    ///   - parameters: the values of the template's variables. All others go into the query or the body. Default: none.
    ///   - body: the body. Default: made from the parameters.
    ///   - landing: the conversion of the response into a value.
    ///   - service: the service that receives the call. Default: the client's first.
    ///   - options: the endpoint's layer of settings. Default: sets nothing.
    public init(
        _ route: Route, _ parameters: ParameterList = [:], body: Body? = nil, landing: Landing<Value>,
        service: Service = .clientDefault, options: Options = Options()
    ) {
        self.landing = landing
        parts = CopyOnWrite(InlineCall(route, parameters, body, service: service, options: options))
    }

    /// The method and the template, such as `GET /users/{id}`.
    public var endpointName: String { "\(route)" }
    public func parameters() throws -> ParameterList { parts.value.given }
    public func body() throws -> Body? { parts.value.content }
    public func configure(_ options: inout Options) { options = parts.value.options }

    /// Returns the same call for another service.
    public consuming func on(_ service: Service) -> Self {
        self.service = service
        return self
    }

    /// Returns the same call with more settings.
    public func with(_ configure: (inout Options) -> Void) -> Self {
        var copy = self
        configure(&copy.parts.value.options)
        return copy
    }
}
