extension Endpoint {
    /// Returns the same call with additional settings, for a member of a batch, chain or graph. The endpoint's own
    /// settings are read now, not for each call.
    ///
    /// ```swift
    /// let (image, user) = try await client.send(Batch(GetImage(name: "1.jpg").with { $0.timeout = .seconds(60) }, GetUser(id: 7)))
    /// ```
    public func with(_ configure: (inout Options) -> Void) -> ConfiguredEndpoint<Self> {
        var options = Options()
        self.configure(&options)
        configure(&options)
        return ConfiguredEndpoint(base: self, options: options)
    }
}

/// An endpoint with additional settings. Everything else is the base endpoint's.
public struct ConfiguredEndpoint<Base: Endpoint>: Endpoint {
    public typealias Value = Base.Value

    /// The base endpoint.
    package let base: Base
    /// The base endpoint's own layer together with the added settings.
    let options: Options

    public static var service: Base.DeclaredService { Base.service }
    public static var route: Route { Base.route }
    public static var endpointName: String { Base.endpointName }
    public var service: Service { base.service }
    public var route: Route { base.route }
    public var endpointName: String { base.endpointName }
    public var landing: Landing<Base.Value> { base.landing }
    public func parameters() throws -> ParameterList { try base.parameters() }
    public func body() throws -> Body? { try base.body() }
    public func configure(_ options: inout Options) { options = self.options }
    public func didLand(_ landed: Landed<Base.Value>) async throws { try await base.didLand(landed) }
}
