import Tarmac
import TarmacTesting

/// The server of the programs: a small shop on a free port of this machine. It starts with the first look at ``url``.
public enum ShopServer {
    private static let server: ScriptedServer = {
        do {
            return try ScriptedServer([.loop([.readRequest, .choose { ShopAnswers.steps(for: $0) }])])
        } catch {
            fatalError("no port of this machine is free: \(error)")
        }
    }()

    /// The address, such as `http://127.0.0.1:49152`.
    public static var url: String { "http://127.0.0.1:\(server.port)" }

    /// The number of requests for a path.
    public static func count(of path: String) -> Int { server.requests.count { $0.path == path } }

    /// Waits until a request for a path has arrived.
    public static func received(_ path: String) async throws {
        try await server.wait { log in log.requests.contains { $0.path == path } }
    }

    /// Waits until the client has ended a connection.
    public static func connectionEnded() async throws { try await server.isLeft() }

    /// Refuses new connections, as a server does that is down.
    public static func goDown() async throws {
        server.refuseConnections()
        try await server.wait { !$0.isListening }
    }
}
