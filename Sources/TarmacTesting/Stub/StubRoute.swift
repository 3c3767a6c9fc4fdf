public import HTTPTypes
public import TarmacCore

/// A method and a path with the response of a ``StubTransport``.
public struct StubRoute: Sendable {
    /// Returns the response to a request, or throws an error of a transport.
    public typealias Answer = @Sendable (Request) async throws -> Response

    /// The method; `nil` for any.
    public let method: HTTPRequest.Method?
    /// The path without a query.
    public let path: String
    let answer: Answer

    public init(_ method: HTTPRequest.Method?, _ path: String, answer: @escaping Answer) {
        self.method = method
        self.path = path
        self.answer = answer
    }

    public static func get(_ path: String, _ answer: @escaping Answer) -> StubRoute { .init(.get, path, answer: answer) }
    public static func post(_ path: String, _ answer: @escaping Answer) -> StubRoute { .init(.post, path, answer: answer) }
    public static func put(_ path: String, _ answer: @escaping Answer) -> StubRoute { .init(.put, path, answer: answer) }
    public static func delete(_ path: String, _ answer: @escaping Answer) -> StubRoute {
        .init(.delete, path, answer: answer)
    }

    func matches(_ request: Request) -> Bool {
        (method == nil || method == request.method) && path == request.url.path
    }
}
