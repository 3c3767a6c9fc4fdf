#if Crypto
import Tarmac
import TarmacCrypto
import TarmacSigning
import TarmacTesting
import Testing

/// What README shows of TarmacCrypto, compiled and flown.
enum CryptoCallSites {
    static func sealed(_ key: SecretKey) throws -> Service {
        let keys = try Keyring(current: SealingKey("2026-11", key))
        let shop = Service("shop", host: "https://api.shop.example") {
            $0.encryption = .cipher(KeyringCipher(keys))
        }
        return shop
    }

    static func signed(_ key: SecretKey, _ pem: String) throws -> Service {
        let verifier = MessageVerifier([try .ed25519("server-1", pem: pem)])
        let shop = Service("shop", host: "https://api.shop.example") {
            $0.signing = .signer(MessageSigner(.hmacSHA256("app-1", key)))
            $0.verification = .verifier(verifier)
        }
        return shop
    }

    static func signedParameters() -> Service {
        // page: signature
        let partner = Service("partner", host: "https://api.partner.example") {
            $0.parameters["appKey"] = "shop"
            $0.parameterTransforms = [
                // sign = MD5("appKey=shop&nonce=…&product=cup&timestamp=…&key=SECRET"), in capitals
                ParameterSignature(.insecureMD5, secret: SecretKey(utf8: "SECRET")) {
                    $0.secretPlacement = .after("&key=")
                    $0.isUpperCase = true
                    $0.timestamp = "timestamp"
                    $0.nonce = "nonce"
                }
            ]
        }
        // page end
        return partner
    }

    static func transformed(_ secret: SecretKey, _ keys: Keyring) -> Options {
        var options = Options()
        options.parameterTransforms = [
            SealedParameters(keys),
            ParameterSignature(.hmacSHA256, secret: secret) { $0.timestamp = "timestamp" },
        ]
        return options
    }
}

@Suite("README: encryption and signing", .timeLimit(.minutes(5)))
struct CryptoCallSiteTests {
    @Test func aSealedServiceFlies() async throws {
        let key = SecretKey.random()
        let server = KeyringCipher(try Keyring(current: SealingKey("2026-11", key)))
        let stub = StubTransport { request in try server.seal(.text("there"), to: request) }
        let client = Client(transport: .stub(stub), services: [try CryptoCallSites.sealed(key)])
        #expect(try await client.get("/a", as: String.self) == "there")
    }

    @Test func aServiceWithSignedParametersFlies() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(transport: .stub(stub), services: [CryptoCallSites.signedParameters()])
        try await client.post("/orders", ["product": "cup"])
        let sent = try JSON(parsing: stub.requests[0].body.buffered ?? .empty)
        #expect(sent["appKey"] == "shop" && sent["product"] == "cup" && sent["nonce"].string?.count == 32 && sent["timestamp"].int != nil)
        let sign = sent["sign"].string ?? ""
        #expect(sign.count == 32 && sign.allSatisfy { $0.isNumber || $0.isUppercase })
    }

    @Test func aSignedServiceFlies() async throws {
        let key = SignatureKey.hmacSHA256("app-1", .random())
        #expect(
            try CryptoCallSites.signed(
                .random(), "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----"
            ).name == "shop")
        #expect(key.algorithm == "hmac-sha256")
        #expect(!CryptoCallSites.transformed(.random(), try Keyring(current: SealingKey("k", .random()))).isEmpty)
    }
}
#endif
