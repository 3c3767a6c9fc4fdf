@_spi(TarmacRooms) import TarmacHTTP

/// A description of a call: its destination, its parameters and the type of its result.
///
/// ```swift
/// struct GetUser: Endpoint, Encodable {
///     typealias Value = User
///     static let route: Route = .get("/users/{id}{?fields*}")
///     var id: Int
///     var fields: [String] = []
/// }
/// ```
/// The stored properties of an `Encodable` endpoint are its parameters; without `Encodable` it has none. The parameters that the template names
/// fill the template. The others become the query (GET, HEAD, DELETE, OPTIONS, and calls with their own `body`), the JSON body, or the fields
/// of a multipart form. `@Path`, `@Query`, `@Header`, `@Field` and `@WholeBody` choose another place.
///
/// In a module with main-actor default isolation, an endpoint needs no annotation. Declare the models it returns and
/// the services it names `nonisolated`.
public protocol Endpoint: Work where WorkProgress == TransferProgress {
    /// The type of the static `service`, which is ``Service``. With any other type, the endpoint does not compile.
    associatedtype DeclaredService = Service
    /// The service that receives the call. Default: the client's first.
    static var service: DeclaredService { get }
    /// The HTTP method and the URI template.
    static var route: Route { get }
    /// The name in errors, events and `explain`. A parameter called `name` does not change it. Default: the type's name.
    static var endpointName: String { get }

    /// The service of this instance. Default: the type's.
    var service: Service { get }
    /// The route of this instance. Default: the type's.
    var route: Route { get }
    /// The name of this instance. Default: the type's.
    var endpointName: String { get }
    /// Returns the parameters. Default: the stored properties if the endpoint is `Encodable`, otherwise none, and an error for placed ones.
    func parameters() throws -> ParameterList
    /// Returns the body, or `nil` to make it from the parameters. Default: `nil`. An error ends the call before it is sent.
    func body() throws -> Body?
    /// Sets the endpoint's layer of settings. Default: sets nothing.
    func configure(_ options: inout Options)
    /// The conversion of a response into a value. Default: by the type of `Value`, which is `Decodable`, `Data`, `String`, `JSON` or `Void`.
    var landing: Landing<Value> { get }
    /// Runs after every successful landing and before the value is delivered. Use it for handling that all callers share.
    ///
    /// An error it throws becomes the call's error. Default: does nothing.
    func didLand(_ landed: Landed<Value>) async throws
}

extension Endpoint {
    public static var service: Service { .clientDefault }
    public static var endpointName: String { "\(Self.self)" }
    public var route: Route { Self.route }
    public var endpointName: String { Self.endpointName }
    public func parameters() throws -> ParameterList {
        if MemoryLayout<Self>.size > 0 { try checkPlacement() }
        return ParameterList()
    }
    public func body() throws -> Body? { nil }
    public func configure(_ options: inout Options) {}
    public func didLand(_ landed: Landed<Value>) async throws {}
}

extension Endpoint where DeclaredService == Service {
    public var service: Service { Self.service }
}

extension Endpoint where Self: Encodable {
    public func parameters() throws -> ParameterList { try ParameterEncoder().encode(self) }
}

/// The first placed property of each endpoint that is not `Encodable`, so that its values would reach no request.
private let placedNames = Locked<[ObjectIdentifier: String?]>([:])

extension Endpoint {
    /// Throws if an endpoint has placed properties and forgets `Encodable`.
    fileprivate func checkPlacement() throws(TarmacError) {
        let name = placedNames.withLock { names in
            if let known = names[ObjectIdentifier(Self.self)] { return known }
            let name = Mirror(reflecting: self).children.first { $0.value is any PlacedParameter }.flatMap(\.label)
            names[ObjectIdentifier(Self.self)] = .some(name)
            return name
        }
        guard let name else { return }
        let what = "\(Self.self) is not Encodable, so its property \(name.drop { $0 == "_" }) would not be sent"
        throw TarmacError(.invalidParameter, what, suggestion: "declare it as Endpoint, Encodable")
    }
}
