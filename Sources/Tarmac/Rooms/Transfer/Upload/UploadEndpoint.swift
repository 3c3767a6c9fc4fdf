/// A call with a body of its own; all else is the endpoint's.
struct UploadEndpoint<Base: Endpoint>: Endpoint {
    typealias Value = Base.Value

    let base: Base
    let content: Body

    static var service: Service { Base.service }
    static var route: Route { Base.route }
    static var endpointName: String { Base.endpointName }
    var service: Service { base.service }
    var route: Route { base.route }
    var endpointName: String { base.endpointName }
    var landing: Landing<Base.Value> { base.landing }
    func parameters() throws -> ParameterList { try base.parameters() }
    func body() throws -> Body? { content }
    func configure(_ options: inout Options) { base.configure(&options) }
    func didLand(_ landed: Landed<Base.Value>) async throws { try await base.didLand(landed) }
}
