/// An inline endpoint without the type of its value.
///
/// It is not generic, because the type of a generic value is made at run time, with each call.
struct InlineCall: Endpoint {
    typealias Value = Void
    /// Not used, because every inline call has its own route.
    static var route: Route { .get("/") }

    var service: Service
    var route: Route
    var given: ParameterList
    var content: Body?
    var options: Options

    init(_ route: Route, _ parameters: ParameterList, _ body: Body? = nil, service: Service = .clientDefault, options: Options = Options()) {
        self.service = service
        self.route = route
        self.options = options
        given = parameters
        content = body
    }

    var endpointName: String { "\(route)" }
    func parameters() throws -> ParameterList { given }
    func body() throws -> Body? { content }
    func configure(_ options: inout Options) { options = self.options }
}
