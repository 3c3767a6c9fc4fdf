public import TarmacCore

/// An endpoint whose answer is reformed: a call like any other, for every verb that takes one.
///
/// ```swift
/// let cells = try await client.send(ListProducts(page: 1).reformed(by: ProductCells()))
/// ```
/// The answer is judged as before and its JSON parsed once. The endpoint's own ``Endpoint/didLand(_:)`` runs too, with the
/// endpoint's own value, after the reformer and before delivery: shared handling still has one place. Where nothing of
/// that is wanted, give the endpoint `JSON` or `Data` as its `Value`, which cost nothing to make.
public struct ReformedEndpoint<Base: Endpoint, Reforming: Reformer>: Endpoint {
    public typealias Value = Reforming.Value
    /// Not used: the route is that of the base.
    public static var route: Route { Base.route }

    /// The endpoint behind it.
    public let base: Base
    /// What makes the value.
    public let reformer: Reforming

    init(_ base: Base, by reformer: Reforming) {
        self.base = base
        self.reformer = reformer
    }

    public static var service: Service { Base.service }
    public static var endpointName: String { Base.endpointName }
    public var service: Service { base.service }
    public var route: Route { base.route }
    public var endpointName: String { base.endpointName }
    public func parameters() throws -> ParameterList { try base.parameters() }
    public func body() throws -> Body? { try base.body() }
    public func configure(_ options: inout Options) { base.configure(&options) }
    public var landing: Landing<Reforming.Value> { base.landing.reformed(by: reformer) }

    public func didLand(_ landed: Landed<Reforming.Value>) async throws {
        // A plain error of the landing's is given its code where the endpoint's name and value are known.
        try await base.didLand(landed.with(value: try base.landing.checkedValue(of: landed.payload)))
    }
}

extension Endpoint {
    /// The same call, landing as what a reformer makes of its answer.
    public func reformed<R: Reformer>(by reformer: R) -> ReformedEndpoint<Self, R> { ReformedEndpoint(self, by: reformer) }

    /// The same call, landing as what a plain function makes of its answer.
    public func reformed<Made>(
        by function: @escaping @Sendable (Payload) throws -> Made
    ) -> ReformedEndpoint<Self, FunctionReformer<Made>> { reformed(by: FunctionReformer(function)) }
}
