#if Crypto && MockServer && NIO
import HTTPTypes
import Tarmac
import TarmacCrypto
import TarmacNIO
import TarmacSigning
import TarmacTesting
import TarmacURLSession
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-11 over real sockets: encrypted, signed and verified both ways.
@Suite("Encrypted and signed calls", .timeLimit(.minutes(5)))
struct SealedCallTests {
    private struct Order: Codable, Equatable, Sendable {
        var id: Int
        var note: String
    }

    /// A service that opens, checks and answers as `Documentation/Crypto.md` says.
    private struct Backend: Sendable {
        let cipher: KeyringCipher
        let signer: MessageSigner
        let isForging: Bool

        func answer(_ request: Request) throws -> Response {
            guard request.headers[HTTPField.Name("Signature")!] != nil else { return .status(.unauthorized) }
            var echo = Response.json(String(decoding: try cipher.open(request).request.body.buffered?.array ?? [], as: UTF8.self))
            echo = try signer.sign(try cipher.seal(echo, to: request), to: request, at: Date())
            if isForging, case .bytes(let bytes) = echo.body { echo.body = .bytes(Bytes(bytes.array.map { $0 ^ 1 })) }
            return echo
        }
    }

    private func fly(_ transport: TransportFactory, isForging: Bool = false, _ body: (Client, MockServer, Order) async throws -> Void) async throws {
        let keys = try Keyring(current: SealingKey("2026-11", .random())), secret = SecretKey.random()
        let backend = Backend(cipher: KeyringCipher(keys), signer: MessageSigner(.hmacSHA256("server", secret)), isForging: isForging)
        try await MockServer.run(.post("/orders") { try backend.answer($0) }) { server in
            let service = Service("shop", host: Hosts(server.url.string)) {
                $0.encryption = .cipher(KeyringCipher(keys))
                $0.signing = .signer(MessageSigner(.hmacSHA256("app", .random())))
                $0.verification = .verifier(MessageVerifier([.hmacSHA256("server", secret)]))
            }
            try await withClient(transport: transport, services: [service]) { client in
                try await body(client, server, Order(id: 7, note: String(repeating: "停机坪 ", count: 20_000)))
            }
        }
    }

    @Test(arguments: [TransportFactory.asyncHTTPClient, .urlSession])
    func aCallFliesThereAndBack(_ transport: TransportFactory) async throws {
        try await fly(transport) { client, server, order in
            #expect(try await client.post("/orders", ["id": order.id, "note": order.note], as: Order.self) == order)
            let seen = try #require(server.requests.first)
            #expect(seen.headers[.contentType] == "application/vnd.tarmac.sealed")
            #expect(seen.headers[HTTPField.Name("Content-Digest")!] != nil)
        }
    }

    @Test(arguments: [TransportFactory.asyncHTTPClient, .urlSession])
    func aForgedAnswerIsRefused(_ transport: TransportFactory) async throws {
        try await fly(transport, isForging: true) { client, _, order in
            let error = await #expect(throws: TarmacError.self) {
                try await client.post("/orders", ["id": order.id, "note": order.note], as: Order.self)
            }
            #expect(error?.code == .signatureInvalid)
            #expect(error?.response?.body.isEmpty == true)
        }
    }
}
#endif
