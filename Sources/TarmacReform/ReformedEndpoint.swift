public import TarmacCore

/// An endpoint with the value that a reformer makes of the response. It works with every method that takes an endpoint.
///
/// ```swift
/// let cells = try await client.send(ListProducts(page: 1).reformed(by: ProductCells()))
/// ```
/// The response is judged as before, and its JSON is parsed once. The base endpoint's ``Endpoint/didLand(_:)`` also
/// runs, with the base endpoint's own value, after the reformer and before delivery, so that shared handling stays in
/// one place. If you do not need it, give the endpoint `JSON` or `Data` as its `Value`, which cost nothing to make.
public struct ReformedEndpoint<Base: Endpoint, Reforming: Reformer>: Endpoint {
    public typealias Value = Reforming.Value
    /// Not used. The route is that of the base endpoint.
    public static var route: Route { Base.route }

    /// The base endpoint.
    public let base: Base
    /// The reformer that makes the value.
    public let reformer: Reforming

    init(_ base: Base, by reformer: Reforming) {
        self.base = base
        self.reformer = reformer
    }

    public static var service: Base.DeclaredService { Base.service }
    public static var endpointName: String { Base.endpointName }
    public var service: Service { base.service }
    public var route: Route { base.route }
    public var endpointName: String { base.endpointName }
    public func parameters() throws -> ParameterList { try base.parameters() }
    public func body() throws -> Body? { try base.body() }
    public func configure(_ options: inout Options) { base.configure(&options) }
    public var landing: Landing<Reforming.Value> { base.landing.reformed(by: reformer) }

    public func didLand(_ landed: Landed<Reforming.Value>) async throws {
        // The call's own context adds the code to a plain error, because the endpoint's name and value are known there.
        try await base.didLand(landed.with(value: try base.landing.checkedValue(of: landed.payload)))
    }
}

extension Endpoint {
    /// Returns the same call with the value that a reformer makes of the response.
    public func reformed<R: Reformer>(by reformer: R) -> ReformedEndpoint<Self, R> { ReformedEndpoint(self, by: reformer) }

    /// Returns the same call with the value that a function makes of the response.
    public func reformed<Made>(
        by function: @escaping @Sendable (Payload) throws -> Made
    ) -> ReformedEndpoint<Self, FunctionReformer<Made>> { reformed(by: FunctionReformer(function)) }
}
