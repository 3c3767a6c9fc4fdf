#if Tools
import Tarmac
import TarmacNIO
import TarmacURLSession
import Testing

/// The two transports, as an argument of tests.
enum TransportChoice: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case asyncHTTPClient, urlSession

    var testDescription: String { rawValue }

    var factory: TransportFactory {
        switch self {
        case .asyncHTTPClient: .asyncHTTPClient
        case .urlSession: .urlSession
        }
    }

    /// Whether it can be told whom to trust.
    var takesAuthorities: Bool {
        #if canImport(Darwin)
        true
        #else
        self == .asyncHTTPClient
        #endif
    }

    /// A client of one service, shut down when `body` ends.
    func fly<Result: Sendable>(
        to host: String, connection: ConnectionSettings = ConnectionSettings(), _ body: (Client) async throws -> Result
    ) async throws -> Result {
        let service = Service("interop", host: Hosts(host), connection: connection) { $0.timeout = .seconds(30) }
        return try await withClient(transport: factory, services: [service]) { try await body($0) }
    }

    func httpbin<Result: Sendable>(_ body: (Client) async throws -> Result) async throws -> Result {
        try await fly(to: InteropServers.required().httpbin, body)
    }

    func nginx<Result: Sendable>(_ body: (Client) async throws -> Result) async throws -> Result {
        try await fly(to: InteropServers.required().nginx, body)
    }
}
#endif
