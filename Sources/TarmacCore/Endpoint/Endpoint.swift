/// A call described as a value: where it goes, what it carries, what it lands as.
///
/// ```swift
/// struct GetUser: Endpoint, Encodable {
///     typealias Value = User
///     static let route: Route = .get("/users/{id}{?fields*}")
///     var id: Int
///     var fields: [String] = []
/// }
/// ```
/// The stored properties of an `Encodable` endpoint are its parameters: those the template names fill it, the others
/// become the query (GET, HEAD, DELETE) or the JSON body; `@Path`, `@Query`, `@Header`, `@Field` and `@WholeBody` say
/// otherwise. In a module with main-actor default isolation an endpoint needs nothing said; the models it lands as, and the
/// services it names, are declared `nonisolated`.
public protocol Endpoint: Sendable {
    /// What the call lands as. Without a `landing` of its own: a `Decodable`, `Data`, `String`, `JSON` or `Void`.
    associatedtype Value: Sendable

    /// The service it belongs to. Default: the client's first.
    static var service: Service { get }
    /// Method and URI template.
    static var route: Route { get }
    /// The name in errors, events and `explain`; a parameter called `name` is none of it. Default: the type's name.
    static var endpointName: String { get }

    /// The service of this very value. Default: the type's.
    var service: Service { get }
    /// The route of this very value. Default: the type's.
    var route: Route { get }
    /// The name of this very value. Default: the type's.
    var endpointName: String { get }
    /// The parameters. Default: the stored properties if the endpoint is `Encodable`, else none.
    func parameters() throws -> ParameterList
    /// A body of its own instead of the parameters'. Default: `nil`. What is thrown ends the call before it is sent.
    func body() throws -> Body?
    /// The endpoint's layer of settings. Default: sets nothing.
    func configure(_ options: inout Options)
    /// How a response becomes a value.
    var landing: Landing<Value> { get }
    /// Runs after every successful landing and before the value is delivered (BQ-8): shared handling has one place.
    /// What it throws becomes the call's error. Default: nothing.
    func didLand(_ landed: Landed<Value>) async throws
}

extension Endpoint {
    public static var service: Service { .clientDefault }
    public static var endpointName: String { "\(Self.self)" }
    public var service: Service { Self.service }
    public var route: Route { Self.route }
    public var endpointName: String { Self.endpointName }
    public func parameters() throws -> ParameterList { ParameterList() }
    public func body() throws -> Body? { nil }
    public func configure(_ options: inout Options) {}
    public func didLand(_ landed: Landed<Value>) async throws {}
}

extension Endpoint where Self: Encodable {
    public func parameters() throws -> ParameterList { try ParameterEncoder().encode(self) }
}
