#if Crypto && NIO
import HTTPTypes
import Tarmac
import TarmacNIO
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A kept connection that the server closes at the next request: what was signed goes out again with another nonce.
@Suite("Stale connections under signed requests", .timeLimit(.minutes(5)))
struct RenewalWireTests {
    private let secret = SecretKey(utf8: "a key of the tests")

    /// The first connection answers one request, and closes at the second.
    private func server() async throws -> NIORawServer {
        try await NIORawServer { $0.connection == 0 && $0.number > 0 ? [.close] : [ok] }
    }

    private func fly(
        _ server: NIORawServer, _ configure: @escaping @Sendable (inout Options) -> Void, _ path: String = "/b"
    ) async throws -> [NIORawServer.Received] {
        let service = Service("s", host: Hosts(try server.url().string)) {
            $0.retry = .never
            configure(&$0)
        }
        try await withClient(transport: .asyncHTTPClient, services: [service]) { client in
            _ = try await client.get("/a", as: Data.self)
            let landed = try await client.landed(for: .get(path, as: Data.self))
            #expect(landed.attempts == 1, "the connection was at fault, and not the call")
        }
        return Array(server.seen.requests.dropFirst())
    }

    @Test func whatWasSignedIsSignedAnew() async throws {
        let server = try await server(), secret = secret
        let sent = try await fly(server) { $0.signing = .signer(HMACRequestSigner("app", secret)) }
        #expect(sent.count == 2)
        #expect(sent.map(\.connection) == [0, 1])
        #expect(Set(sent.map { $0.header("X-Signature-Nonce") }).count == 2)
        for request in sent { #expect(try request.header("X-Signature") == signature(of: request, server)) }
    }

    /// What a server computes from what it sees.
    private func signature(of received: NIORawServer.Received, _ server: NIORawServer) throws -> String? {
        let nonce = try #require([UInt8](hex: received.header("X-Signature-Nonce") ?? ""))
        let time = try #require(received.header("X-Signature-Timestamp").flatMap { Double($0) })
        let signer = HMACRequestSigner("app", secret, fields: .standard, nonces: NonceSource { _ in nonce })
        let request = try signer.sign(Request(.get, server.url("/b")), at: Date(timeIntervalSince1970: time))
        return request.headers[HTTPField.Name("X-Signature")!]
    }

    @Test func signedParametersAreSignedAnew() async throws {
        let server = try await server(), secret = secret
        let sent = try await fly(server, { $0.parameterTransforms = [ParameterSignature(.hmacSHA256, secret: secret) { $0.nonce = "n" }] }, "/b{?c}")
        #expect(sent.map(\.connection) == [0, 1])
        let lines = sent.map { $0.head.prefix { $0 != "\r\n" } }
        #expect(Set(lines).count == 2 && lines.allSatisfy { $0.contains("n=") && $0.contains("sign=") }, "\(lines)")
    }

    /// As before: nothing in it is for one time only.
    @Test func aPlainRequestIsSentAgainAsItIs() async throws {
        let sent = try await fly(try await server()) { _ in }
        #expect(sent.map(\.connection) == [0, 1])
        #expect(Set(sent.map(\.head)).count == 1)
    }
}
#endif
