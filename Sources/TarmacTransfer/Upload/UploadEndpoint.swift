package import TarmacCore

/// A call with a body of its own; the rest is the endpoint's.
package struct UploadEndpoint<Base: Endpoint>: Endpoint {
    package typealias Value = Base.Value

    package let base: Base
    package let content: Body

    package init(base: Base, content: Body) {
        self.base = base
        self.content = content
    }

    package static var service: Base.DeclaredService { Base.service }
    package static var route: Route { Base.route }
    package static var endpointName: String { Base.endpointName }
    package var service: Service { base.service }
    package var route: Route { base.route }
    package var endpointName: String { base.endpointName }
    package var landing: Landing<Base.Value> { base.landing }
    package func parameters() throws -> ParameterList { try base.parameters() }
    package func body() throws -> Body? { content }
    package func configure(_ options: inout Options) { base.configure(&options) }
    package func didLand(_ landed: Landed<Base.Value>) async throws { try await base.didLand(landed) }
}
