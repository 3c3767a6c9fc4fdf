#if Tools
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Tarmac
import TarmacTesting

/// A server over TLS inside the test process, on a free loopback port.
struct SecureServer: Sendable {
    enum Protocols { case http1, http2 }

    let port: Int
    /// The peers that sent requests, one for each request, in order.
    let peers: Watched<[String]>
    /// Opened by the test to let held answers go.
    let gate: Watched<Bool>

    func url(_ path: String, host: String = "localhost") throws -> HTTPURL {
        try HTTPURL("https://\(host):\(port)\(path)")
    }

    /// Runs a server for as long as the closure does.
    static func run<Value: Sendable>(
        _ identity: Fixture = .localhost, _ protocols: Protocols = .http1, clientRoot: Fixture? = nil,
        maxAge: Duration? = nil, _ body: @escaping @Sendable (SecureServer) async throws -> Value
    ) async throws -> Value {
        let (peers, gate, port) = (Watched<[String]>([]), Watched(false), Watched<Int?>(nil))
        let tls = try identity.serverConfiguration(clientRoot: clientRoot)
        var logger = Logger(label: "SecureServer")
        logger.logLevel = .critical
        let application = Application(
            router: ServerRoutes.make(peers, gate), server: try builder(protocols, tls, maxAge),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.update { $0 = channel.localAddress?.port } }, logger: logger)
        // Ended gracefully: a cancelled server drops the connections it has just accepted, and NIO ends the process over them.
        let service = ServiceGroup(configuration: .init(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let port = try await port.wait { $0 != nil } ?? 0
            let result: Result<Value, any Error>
            do { result = .success(try await body(SecureServer(port: port, peers: peers, gate: gate))) } catch { result = .failure(error) }
            // Streams that wait would outlive the server.
            gate.update { $0 = true }
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private static func builder(_ protocols: Protocols, _ tls: TLSConfiguration, _ maxAge: Duration?) throws -> HTTPServerBuilder {
        switch protocols {
        case .http1: return try .tls(.http1(), tlsConfiguration: tls)
        case .http2:
            var configuration = HTTP2Channel.Configuration(gracefulCloseTimeout: .seconds(10))
            configuration.maxAgeTimeout = maxAge
            return try .http2Upgrade(tlsConfiguration: tls, configuration: configuration)
        }
    }
}
#endif
