#if Crypto
import Tarmac
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

import Foundation

/// Law 9: a key appears in no description, dump, reflection, error or explanation.
@Suite("Law 9: keys are shown nowhere", .timeLimit(.minutes(5)))
struct CryptoLaw9Tests {
    private static let text = "hunter2-hunter2-hunter2-hunter2!"
    private static let secret = SecretKey(utf8: text)
    /// The bytes as anything might print them.
    private static let forms = [
        text, Array(text.utf8).hex, Data(text.utf8).base64EncodedString(), "104, 117, 110, 116", "- 104\n", "0x68", "hunter2",
    ]

    private func texts(_ value: Any) -> [String] {
        var dumped = "", printed = ""
        dump(value, to: &dumped)
        print(value, to: &printed)
        debugPrint(value, to: &printed)
        return [dumped, printed, "\(value)", String(describing: value), String(reflecting: value), mirrored(value, depth: 0)]
    }

    private func mirrored(_ value: Any, depth: Int) -> String {
        guard depth < 12 else { return "" }
        return Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value) " + mirrored($0.value, depth: depth + 1) }.joined()
    }

    private func check(_ value: Any, _ note: String) {
        for text in texts(value) {
            for form in Self.forms where text.contains(form) { Issue.record("\(note) shows its key as \(form): \(text.prefix(200))") }
        }
    }

    @Test func noPublicTypeShowsItsKey() throws {
        let key = try SealingKey("k1", Self.secret), keys = try Keyring(current: key)
        let ed = try SignatureKey.ed25519("e", rawRepresentation: Array(Self.text.utf8))
        let values: [(String, Any)] = [
            ("secret", Self.secret), ("optional", Optional(Self.secret) as Any), ("key", key), ("keyring", keys), ("sealer", KeyringSealer(keys)),
            ("cipher", KeyringCipher(keys)), ("parameters", SealedParameters(keys)), ("signature", ParameterSignature(.insecureMD5, secret: Self.secret)),
            ("hmac", HMACRequestSigner("k", Self.secret)), ("hmac verifier", HMACResponseVerifier(keys: ["k": Self.secret])), ("ed25519", ed),
            ("hmac key", SignatureKey.hmacSHA256("k", Self.secret)), ("verification key", VerificationKey.hmacSHA256("k", Self.secret)),
            ("signer", MessageSigner(ed)), ("verifier", MessageVerifier([.hmacSHA256("k", Self.secret)])),
            ("encryption", PayloadEncryption.cipher(KeyringCipher(keys))), ("signing", RequestSigning.signer(MessageSigner(ed))),
            ("options", Options { $0.encryption = .cipher(KeyringCipher(keys)) }), ("all", [key, keys, ed] as [Any]),
        ]
        for (name, value) in values { check(value, name) }
    }

    @Test func aCallShowsItsKeysInNoEventErrorOrExplanation() async throws {
        let (recorder, keys) = (EventRecorder(), try Keyring(current: SealingKey("k1", Self.secret)))
        let client = Client(StubTransport { _ in .json("{}") }) {
            $0.observers = [recorder]
            $0.encryption = .cipher(KeyringCipher(keys))
            $0.signing = .signer(HMACRequestSigner("k", Self.secret))
            $0.verification = .verifier(HMACResponseVerifier(keys: ["k": Self.secret]))
            $0.parameterTransforms = [ParameterSignature(.sha256, secret: Self.secret), SealedParameters(keys)]
        }
        check(client.explain(InlineEndpoint<Void>.post("/a", ["a": 1])), "explanation")
        let error = await failure { try await client.post("/a", ["a": 1]) }
        #expect(error?.code == .signatureMissing)
        check(error as Any, "error")
        check(error.map { $0 as NSError } as Any, "bridged error")
        for event in recorder.events { check(event, "event") }
    }
}
#endif
