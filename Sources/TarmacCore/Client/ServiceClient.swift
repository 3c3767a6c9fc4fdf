extension Client {
    /// A client whose calls go to one service: `client[.shop].get("/users/{id}", ["id": 7], as: User.self)`.
    public subscript(service: Service) -> ServiceClient { ServiceClient(client: self, destination: service) }
}

/// A client whose calls go to one service.
///
/// ```swift
/// let repos = try await client[.shop].get("/users/{id}/repos", ["id": 7], as: [Repo].self)
/// ```
/// ``CallSender`` lists its methods.
public struct ServiceClient: CallSender {
    /// The client that sends the calls.
    public let client: Client
    package let destination: Service

    /// The service that receives every call.
    public var service: Service? { destination }
}
