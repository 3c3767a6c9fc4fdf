#if MockServer
import FlyingFox
import FlyingSocks
import Foundation
import HTTPTypes
public import TarmacCore

/// A loopback server on a free port, for tests that need a real socket: the routes of a ``StubTransport`` for any
/// transport. It needs the trait `MockServer`.
///
/// ```swift
/// try await MockServer.run(.get("/users/7") { _ in .json(#"{"id": 7}"#) }) { server in
///     let user = try await withClient(transport: .urlSession) {
///         try await $0.get("\(server.url)users/{id}", ["id": 7], as: User.self)
///     }
/// }
/// ```
/// A request without a route gets a 404 with its method and path in the text, and a route that throws a 500 with the
/// error as text. Bodies of requests are collected. For malformed or slow responses and broken connections, use
/// ``ScriptedServer``.
public final class MockServer: Sendable {
    /// `http://127.0.0.1:PORT/`.
    public let url: HTTPURL
    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let seen: Watched<[Request]>

    /// Starts a server on a free port, or on the given one.
    ///
    /// - Throws: `TarmacError(.invalidOption)` if the port is not available.
    public init(port: UInt16 = 0, _ routes: [StubRoute]) async throws {
        let seen = Watched([Request]())
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 120, logger: .disabled,
            handler: ClosureHTTPHandler { try await MockExchange($0).answer(routes, seen) })
        // LIFETIME: `stop` ends it, or `deinit`.
        let running = Task { try await server.run() }
        self.server = server
        self.running = running
        self.seen = seen
        do {
            try await server.waitUntilListening(timeout: 60)
            guard case .ip4(_, let port)? = await server.listeningAddress else { throw CancellationError() }
            url = HTTPURL(scheme: "http", host: "127.0.0.1", port: Int(port), path: "/", query: nil)
        } catch {
            running.cancel()
            throw TarmacError(.invalidOption, "the mock server cannot listen on port \(port)", cause: error)
        }
    }

    deinit { running.cancel() }

    /// Runs `body` with a server, and stops the server however `body` ends.
    public static func run<Result>(
        _ routes: StubRoute..., isolation: isolated (any Actor)? = #isolation, _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let server = try await MockServer(routes)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// The requests so far in order of arrival, with collected bodies.
    public var requests: [Request] { seen.value }

    /// Returns the requests once at least `count` have arrived; throws `CancellationError` when cancelled.
    @discardableResult
    public func received(count: Int = 1) async throws -> [Request] {
        try await seen.wait { $0.count >= count }
    }

    /// Closes all connections, and returns when they are closed.
    public func stop() async {
        await server.stop()
        running.cancel()
        _ = try? await running.value
    }
}
#endif
