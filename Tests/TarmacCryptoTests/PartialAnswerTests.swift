#if Crypto
import HTTPTypes
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

/// Whoever is between client and server may add a Range to a request: what comes back is genuine, and a part.
@Suite("Parts of protected answers", .timeLimit(.minutes(5)))
struct PartialAnswerTests {
    private static let now = Date.unix(1_700_000_000)
    private static let range = "bytes 0-6/9"

    /// A server that answers a Range with the beginning of its JSON, which is JSON too.
    private static func answer(_ request: Request) -> Response {
        guard request.headers.contains(.range) else { return .json("{\"n\":1} ") }
        return .json("{\"n\":1}", status: .partialContent, headers: [.contentRange: range])
    }

    private static func meddled(_ request: Request) -> Request {
        var request = request
        request.headers[.range] = "bytes=0-6"
        return request
    }

    @Test func aSignedPartIsNotTakenForTheWhole() async throws {
        let time = ManualTime(date: Self.now), server = MessageSigner(.hmacSHA256("server-1", Known.other))
        let isMeddled = Watched(true)
        let stub = StubTransport { request in
            let received = isMeddled.value ? Self.meddled(request) : request
            return try server.sign(Self.answer(received), to: received, at: time.date)
        }
        let client = Client(stub, time: time) {
            $0.signing = .signer(MessageSigner(.hmacSHA256("app-1", Known.secret)))
            $0.verification = .verifier(MessageVerifier([.hmacSHA256("server-1", Known.other)]))
        }
        let error = await failure { _ = try await client.get("/n", as: Number.self) }
        #expect(error?.code == .unacceptableStatus && error?.status == .partialContent)
        isMeddled.update { $0 = false }
        #expect(try await client.get("/n", as: Number.self) == Number(n: 1))
    }

    @Test func aSealedPartIsNotTakenForTheWhole() async throws {
        let cipher = KeyringCipher(try Known.keyring())
        let stub = StubTransport { request in
            let received = Self.meddled(request)
            return try cipher.seal(Self.answer(received), to: received)
        }
        let error = await failure { _ = try await Client(stub) { $0.encryption = .cipher(cipher) }.get("/n", as: Number.self) }
        #expect(error?.code == .unacceptableStatus && error?.status == .partialContent)
    }

    @Test func theRangeOfASealedPartIsBound() throws {
        let cipher = KeyringCipher(try Known.keyring())
        let sent = try cipher.seal(Self.meddled(Request(.get, "https://s.example/n")), at: Self.now)
        let part = try cipher.seal(Self.answer(sent), to: sent)
        #expect(try cipher.open(part, to: sent, at: Self.now).headers[.contentRange] == Self.range)
        let whole = try cipher.seal(.json("{}"), to: sent)
        let changes: [(Response, String?)] = [(part, "bytes 1-7/9"), (part, nil), (part, ""), (whole, Self.range), (whole, "")]
        for (index, (answer, range)) in changes.enumerated() {
            var changed = answer
            changed.headers[.contentRange] = range
            #expect(refusal("\(index)") { _ = try cipher.open(changed, to: sent, at: Self.now) }?.code == .decryptionFailed)
        }
    }
}
#endif
