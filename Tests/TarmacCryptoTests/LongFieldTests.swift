#if Crypto
import HTTPTypes
import RawStructuredFieldValues
import Tarmac
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is read of a message before its signature is verified is bounded.
@Suite("Long fields", .timeLimit(.minutes(5)))
struct LongFieldTests {
    private static let now = Date.unix(1_700_000_000)
    private let server = MessageSigner(.hmacSHA256("k", Known.secret))
    private let verifier = MessageVerifier([.hmacSHA256("k", Known.secret)])

    private static func names(_ count: Int, _ separator: String) -> String { (0..<count).map { "a\($0)" }.joined(separator: separator) }

    private func refusal(_ change: (inout Response) -> Void) throws -> TarmacError? {
        let sent = try Request(.get, "https://s.example/a")
        var answer = try server.sign(.json("{}"), to: sent, at: Self.now)
        change(&answer)
        return TarmacCryptoTests.refusal { try verifier.verify(answer, to: sent, at: Self.now) }
    }

    static let fields = [
        ("labels", names(2_000, "=(), ") + "=()"), ("parameters", "sig1=();" + names(600, ";")),
        ("bytes", "sig1=();nonce=\"" + String(repeating: "x", count: 16_384) + "\""),
    ]

    @Test(arguments: fields)
    func aSignatureFieldThatIsTooLongIsNotRead(name: String, text: String) throws {
        let isLong = "Signature-Input or Signature is too long"
        for field in [SignatureFields.input, SignatureFields.signature] {
            let error = try refusal { $0.headers[field] = text }
            #expect(error?.code == .signatureInvalid && error?.reason.contains(isLong) == true, "\(error?.reason ?? "")")
        }
        let error = try refusal { $0.headers.append(HTTPField(name: SignatureFields.input, value: text)) }
        #expect(error?.reason.contains(isLong) == true, "two lines are one field")
    }

    @Test func signaturesAreCountedBeforeTheyAreRead() throws {
        let error = try refusal { $0.headers[SignatureFields.input] = Self.names(17, "=(), ") + "=(" }
        #expect(error?.code == .signatureInvalid && error?.reason.contains("more than 16") == true)
    }

    @Test(arguments: ["\"list\";key=\"a1\"", "\"list\";sf"])
    func aCoveredFieldThatIsTooLongIsNotRead(component: String) throws {
        let name = try #require(HTTPField.Name("list"))
        for (count, reason) in [(514, "too long"), (513, nil)] {
            let input = try SignatureInput(try #require(try StructuredField.dictionary("s=(\(component))")["s"]))
            var answer = Response.status(.ok)
            answer.headers[name] = Self.names(count, ",")
            var message = SignedMessage.response(answer, to: try Request(.get, "https://s.example/a"))
            message.kinds = ["list": .dictionary]
            var fault: ComponentFault?
            do { _ = try input.base(of: message) } catch { fault = error }
            #expect(fault.map { $0.text.contains("too long") } == reason.map { _ in true }, "\(count)")
        }
    }

    @Test func whatIsInAStringSeparatesNothing() throws {
        let text = "a=\"" + String(repeating: ",;", count: 2_000) + "\""
        #expect(try StructuredField.dictionary(text).count == 1)
        #expect(throws: StructuredField.TooLong.self) { try StructuredField.list(String(repeating: "a, ", count: 600) + "a") }
        #expect(throws: StructuredField.TooLong.self) { try StructuredField.item("a" + String(repeating: ";a", count: 600)) }
    }
}
#endif
