import TarmacCore

/// One page of an endpoint: its call with other parameters.
struct PageEndpoint<Base: Endpoint>: Endpoint {
    typealias Value = Base.Value

    let base: Base
    let added: ParameterList

    static var service: Base.DeclaredService { Base.service }
    static var route: Route { Base.route }
    static var endpointName: String { Base.endpointName }
    var service: Service { base.service }
    var route: Route { base.route }
    var endpointName: String { base.endpointName }
    var landing: Landing<Base.Value> { base.landing }
    func parameters() throws -> ParameterList {
        var list = try base.parameters()
        for parameter in added { list[parameter.name] = parameter.value }
        return list
    }
    func body() throws -> Body? { try base.body() }
    func configure(_ options: inout Options) { base.configure(&options) }
    func didLand(_ landed: Landed<Base.Value>) async throws { try await base.didLand(landed) }
}
