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

/// XF-11: bodies encrypted with key ids and rotation, bound to where they belong.
@Suite("Encrypted bodies", .timeLimit(.minutes(5)))
struct KeyringCipherTests {
    private static let now = Date.unix(1_763_752_000)
    private static let ids = NonceSource { Array(UInt8(0)..<UInt8($0)) }
    private static let order = "https://s.example/v1/orders?page=2"

    private static func cipher(_ algorithm: SealingAlgorithm = .aes256GCM, plain: PlainResponses = .refused) throws -> KeyringCipher {
        KeyringCipher(try Known.keyring(algorithm), plainResponses: plain, nonces: ids)
    }

    private func exchange(_ cipher: KeyringCipher, _ response: Response = .json("{\"n\":7}")) throws -> (sent: Request, answer: Response) {
        let sent = try cipher.seal(Request(.post, Self.order, json: "{\"n\":7}"), at: Self.now)
        return (sent, try cipher.seal(response, to: sent))
    }

    // MARK: The form on the wire

    @Test func aSealedRequestIsAsDocumented() throws {
        let sent = try Self.cipher().seal(Request(.post, Self.order, json: "{\"n\":7}"), at: Self.now)
        #expect(sent.headers[.contentType] == "application/vnd.tarmac.sealed")
        #expect(sent.headers[SealedHead.name] == "v=1, alg=A256GCM, kid=\"k1\", type=\"application/json\", id=:AAECAwQFBgcICQoLDA0ODw==:, t=1763752000")
        #expect(sent.body.length == Int64(7 + 28))
        #expect(sent.url.string == Self.order)
    }

    /// Sealed by Python's cryptography, after the documentation.
    @Test(arguments: [
        (SealingAlgorithm.aes256GCM, "CQkJCQkJCQkJCQkJyDpmGb2oPq+4FZrjrybY5yF+idRlbM8="),
        (.chaCha20Poly1305, "CQkJCQkJCQkJCQkJSl3ljBDJFThPpiwdMDDUKtuGGSq3A/8="),
    ])
    func aResponseSealedElsewhereIsOpened(_ algorithm: SealingAlgorithm, _ body: String) throws {
        let cipher = try Self.cipher(algorithm)
        let sent = try cipher.seal(Request(.post, Self.order, json: "{}"), at: Self.now)
        let data = try #require(Data(base64Encoded: body))
        var answer = Response.bytes(Bytes(data), contentType: SealedHead.mediaType)
        answer.headers[SealedHead.name] = "v=1, kid=\"k1\", alg=\(algorithm), type=\"application/json\""
        answer.headers[.contentLength] = "\(data.count)"
        let opened = try cipher.open(answer, to: sent, at: Self.now)
        #expect(opened.text == "{\"n\":7}")
        #expect(opened.headers[.contentType] == "application/json")
        #expect(opened.headers[.contentLength] == nil)
        #expect(opened.headers[SealedHead.name] == nil)
    }

    @Test(arguments: SealingAlgorithm.allCases)
    func aRequestAndItsResponseFlyThereAndBack(_ algorithm: SealingAlgorithm) throws {
        let cipher = try Self.cipher(algorithm)
        let (sent, answer) = try exchange(cipher)
        let received = try cipher.open(sent)
        #expect(received.request.text == "{\"n\":7}")
        #expect(received.request.headers[.contentType] == "application/json")
        #expect(received.id == Bytes(Array(UInt8(0)..<16)))
        #expect(try cipher.open(answer, to: sent, at: Self.now).text == "{\"n\":7}")
    }

    @Test func aMessageWithoutABodyIsSealedInItsHead() throws {
        let cipher = try Self.cipher()
        let sent = try cipher.seal(Request(.get, Self.order), at: Self.now)
        #expect(sent.body.isNone)
        #expect(sent.headers[.contentType] == nil)
        #expect(try cipher.open(sent).request.body.isNone)
        let answer = try cipher.seal(.status(.noContent), to: sent)
        #expect(answer.body.collected?.isEmpty == true)
        #expect(try cipher.open(answer, to: sent, at: Self.now).status == .noContent)
    }

    /// What the handler for GET says is sealed as HTTP brings it: without the body.
    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func anAnswerThatLosesItsBodyOnTheWireIsSealedWithoutIt(_ method: HTTPRequest.Method, _ status: Int) throws {
        let cipher = try Self.cipher()
        let sent = try cipher.seal(Request(method, Self.order), at: Self.now)
        var answer = try cipher.seal(.json("{\"n\":7}", status: .init(code: status)), to: sent)
        #expect(answer.body.collected?.isEmpty == true)
        answer.body = .bytes(.empty)
        let opened = try cipher.open(answer, to: sent, at: Self.now)
        #expect(opened.body.collected?.isEmpty == true && opened.headers[.contentType] == "application/json")
    }

    @Test func eachRequestHasAnIDAndANonceOfItsOwn() throws {
        let cipher = KeyringCipher(try Known.keyring())
        let sealed = try (0..<200).map { _ in try cipher.seal(Request(.post, Self.order, json: "{}"), at: Self.now) }
        #expect(Set(sealed.map { $0.headers[SealedHead.name] }).count == 200)
        #expect(Set(sealed.map { $0.body.buffered?.prefix(12) }).count == 200)
    }

    // MARK: Moved, changed, replayed

    @Test(arguments: ["https://s.example/v1/orders?page=3", "https://s.example/v2/orders?page=2"])
    func aBodyMovedToAnotherPathOrQueryIsRefused(_ url: String) throws {
        let cipher = try Self.cipher()
        let (sent, answer) = try exchange(cipher)
        var moved = sent
        moved.url = try HTTPURL(url)
        #expect(refusal { _ = try cipher.open(moved) }?.code == .decryptionFailed)
        #expect(refusal { _ = try cipher.open(answer, to: moved, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func aBodyMovedToAnotherMethodIsRefused() throws {
        let cipher = try Self.cipher()
        let (sent, answer) = try exchange(cipher)
        var moved = sent
        moved.method = .put
        #expect(refusal { _ = try cipher.open(moved) }?.code == .decryptionFailed)
        #expect(refusal { _ = try cipher.open(answer, to: moved, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func anOldResponseIsNoAnswerToANewRequest() throws {
        let cipher = KeyringCipher(try Known.keyring())
        let first = try cipher.seal(Request(.get, Self.order), at: Self.now)
        let answer = try cipher.seal(.json("{\"n\":1}"), to: first)
        let second = try cipher.seal(Request(.get, Self.order), at: Self.now)
        #expect(try cipher.open(answer, to: first, at: Self.now).text == "{\"n\":1}")
        #expect(refusal { _ = try cipher.open(answer, to: second, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func aRequestSentBackIsNoResponse() throws {
        let cipher = try Self.cipher()
        let (sent, _) = try exchange(cipher)
        var echo = Response.bytes(sent.body.buffered ?? .empty)
        echo.headers[SealedHead.name] = sent.headers[SealedHead.name]
        #expect(refusal { _ = try cipher.open(echo, to: sent, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func statusLocationAndMediaTypeAreBound() throws {
        let cipher = try Self.cipher()
        let (sent, answer) = try exchange(cipher, .redirect(to: "/a"))
        let changes: [(inout Response) -> Void] = [
            { $0.status = .seeOther }, { $0.headers[.location] = "/b" }, { $0.headers[.location] = nil },
            { $0.headers[SealedHead.name]?.append(", type=\"text/html\"") }, { $0.body = .bytes(Bytes("x")) },
        ]
        #expect(try cipher.open(answer, to: sent, at: Self.now).headers[.location] == "/a")
        for (index, change) in changes.enumerated() {
            var changed = answer
            change(&changed)
            #expect(refusal("\(index)") { _ = try cipher.open(changed, to: sent, at: Self.now) }?.code == .decryptionFailed)
        }
    }

    @Test func nobodyCanTakeABodyAway() throws {
        let cipher = try Self.cipher()
        var (sent, answer) = try exchange(cipher)
        sent.body = .none
        #expect(refusal { _ = try cipher.open(sent) }?.code == .decryptionFailed)
        answer.body = .bytes(.empty)
        #expect(refusal { _ = try cipher.open(answer, to: sent, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func timeAndIDOfARequestAreBound() throws {
        let cipher = try Self.cipher()
        let (sent, _) = try exchange(cipher)
        for (old, new) in [("t=1763752000", "t=1763752001"), ("AAECAw", "AAECBA"), ("application/json", "text/html")] {
            var changed = sent
            changed.headers[SealedHead.name] = sent.headers[SealedHead.name]?.replacing(old, with: new)
            #expect(changed.headers[SealedHead.name] != sent.headers[SealedHead.name])
            #expect(refusal(old) { _ = try cipher.open(changed) }?.code == .decryptionFailed)
        }
    }

    // MARK: Keys

    @Test func aMessageCannotChooseTheAlgorithmOfAKey() throws {
        let cipher = try Self.cipher()
        var (sent, answer) = try exchange(cipher)
        answer.headers[SealedHead.name] = answer.headers[SealedHead.name]?.replacing("A256GCM", with: "C20P")
        let error = refusal { _ = try cipher.open(answer, to: sent, at: Self.now) }
        #expect(error?.code == .decryptionFailed)
        #expect(error?.reason.contains("names another algorithm") == true)
        sent.headers[SealedHead.name] = sent.headers[SealedHead.name]?.replacing("A256GCM", with: "none")
        #expect(refusal { _ = try cipher.open(sent) }?.code == .decryptionFailed)
    }

    @Test func anUnknownKeyIsNamed() throws {
        let cipher = try Self.cipher()
        var (sent, answer) = try exchange(cipher)
        sent.headers[SealedHead.name] = sent.headers[SealedHead.name]
        answer.headers[SealedHead.name] = answer.headers[SealedHead.name]?.replacing("\"k1\"", with: "\"k9\"")
        let error = refusal { _ = try cipher.open(answer, to: sent, at: Self.now) }
        #expect(error?.code == .unknownKey)
        #expect(error?.reason.contains("k9") == true)
    }

    @Test func aServerThatHasNotRotatedYetIsStillUnderstood() throws {
        let keys = try Known.keyring()
        let (client, server) = (KeyringCipher(keys), KeyringCipher(try Known.keyring(older: [SealingKey("k2", Known.other)])))
        try keys.rotate(to: SealingKey("k2", Known.other))
        let sent = try client.seal(Request(.post, Self.order, json: "{}"), at: Self.now)
        #expect(sent.headers[SealedHead.name]?.contains("\"k2\"") == true)
        _ = try server.open(sent)
        let answer = try server.seal(.json("{\"n\":1}"), to: sent)
        #expect(answer.headers[SealedHead.name]?.contains("\"k1\"") == true)
        #expect(try client.open(answer, to: sent, at: Self.now).text == "{\"n\":1}")
    }

    // MARK: Plain and malformed responses

    @Test(arguments: [(PlainResponses.refused, [Int]()), (.acceptedFromFailures, [404, 502]), (.accepted, [200, 204, 302, 404, 502])])
    func plainResponsesAreAcceptedAsTheSettingSays(_ setting: PlainResponses, _ accepted: [Int]) throws {
        let cipher = try Self.cipher(plain: setting)
        let sent = try cipher.seal(Request(.get, Self.order), at: Self.now)
        for status in [200, 204, 302, 404, 502] {
            let answer = Response.json("{}", status: .init(code: status))
            if accepted.contains(status) {
                #expect(try cipher.open(answer, to: sent, at: Self.now).text == "{}")
            } else {
                let error = refusal("\(status)") { _ = try cipher.open(answer, to: sent, at: Self.now) }
                #expect(error?.code == .unencryptedResponse)
                #expect(error?.reason.contains("\(status)") == true)
            }
        }
    }

    @Test(arguments: [
        "", "v=1", "v=2, alg=A256GCM, kid=\"k1\"", "v=1, alg=A256GCM", "v=1, alg=A256GCM, kid=k1", "v=1, alg=A256GCM, kid=\"\"", "v=1, kid=\"k1\"",
        "v=1, alg=A256GCM, kid=\"k1\",", "v=1, alg=A256GCM, kid=\"k1\", v=1", "v=1;p, alg=A256GCM, kid=\"k1\"", "v=1 alg=A256GCM", "v=1, alg=A256GCM, kid=\"k1",
        "v=1, alg=A256GCM, kid=\"k1\\", "v=1, alg=A256GCM, kid=\"k1\", id=:AA", "v=1, alg=A256GCM, kid=\"k1\", x=", "v=1, alg=A256GCM, kid=\"k1\", =1",
        "v=1111111111111111111, alg=A256GCM, kid=\"k1\"", "v=1-1, alg=A256GCM, kid=\"k1\"", "v=1, alg=\"A256GCM\", kid=\"k1\"",
        "v=1, alg=A256GCM, kid=\"k1\", seal=:AAAA:", "v=1, alg=A256GCM, kid=\"k1\", seal=1", "v=(1 2)", "\u{7F}", ",,,",
        "v=1, alg=A256GCM, kid=\"" + String(repeating: "k", count: 2_000) + "\"",
    ])
    func aMalformedHeadIsRefused(_ head: String) throws {
        let cipher = try Self.cipher(plain: .accepted)
        let sent = try cipher.seal(Request(.get, Self.order), at: Self.now)
        var answer = try cipher.seal(.json("{}"), to: sent)
        answer.headers[SealedHead.name] = head
        #expect(refusal { _ = try cipher.open(answer, to: sent, at: Self.now) }?.code == .decryptionFailed)
    }

    @Test func aMediaTypeWithQuotesFliesThereAndBackAndUnknownMembersAreIgnored() throws {
        let cipher = try Self.cipher(), type = #"multipart/form-data; boundary="a\b""#
        let sent = try cipher.seal(Request(.post, Self.order, headers: [.contentType: type], json: "x"), at: Self.now)
        #expect(try cipher.open(sent).request.headers[.contentType] == type)
        var answer = try cipher.seal(.text("x"), to: sent)
        answer.headers[SealedHead.name]?.append(" , new=7,\tother=:AA==:")
        #expect(try cipher.open(answer, to: sent, at: Self.now).text == "x")
        let accented = try Request(.post, Self.order, headers: [.contentType: "text/é"], json: "x")
        #expect(refusal { _ = try cipher.seal(accented, at: Self.now) }?.code == .invalidParameter)
    }

    /// The field is read by hand; the parser of the library says the same of what is valid.
    @Test func theFieldIsADictionaryOfRFC9651() throws {
        let sent = try Self.cipher().seal(Request(.get, Self.order, headers: [.contentType: #"a/b; c="\""#]), at: Self.now)
        let text = try #require(sent.headers[SealedHead.name])
        let (own, general) = (try #require(SealedHeadReader.members(text)), try StructuredField.dictionary(text))
        #expect(own.all.count == general.count)
        for (name, member) in general {
            #expect(own[name]?.string == member.bare?.string)
            #expect(own[name]?.token == member.bare?.token)
            #expect(own[name]?.integer == member.bare?.integer)
            #expect(own[name]?.base64.flatMap { Data(base64Encoded: $0) } == member.bare?.data)
        }
    }

    // MARK: Through a client

    private func client(_ cipher: KeyringCipher, _ answer: @escaping @Sendable (Request, KeyringCipher) throws -> Response) -> (Client, StubTransport) {
        let stub = StubTransport { try answer($0, cipher) }
        return (Client(stub) { $0.encryption = .cipher(cipher) }, stub)
    }

    @Test func aCallIsEncryptedBothWays() async throws {
        let (client, stub) = client(KeyringCipher(try Known.keyring())) { request, cipher in
            let plain = try cipher.open(request).request
            return try cipher.seal(.json(plain.text), to: request)
        }
        #expect(try await client.post("/n", ["n": 7], as: Number.self) == Number(n: 7))
        #expect(stub.requests.first?.text.contains(#""n""#) == false)
    }

    @Test func aReplayedResponseIsRefusedBeforeItIsDecoded() async throws {
        let first = Watched<Response?>(nil)
        let (client, _) = client(KeyringCipher(try Known.keyring())) { request, cipher in
            if let old = first.value { return old }
            let answer = try cipher.seal(.json("{\"n\":1}"), to: request)
            first.update { $0 = answer }
            return answer
        }
        #expect(try await client.get("/n", as: Number.self) == Number(n: 1))
        let error = await failure { _ = try await client.get("/n", as: Number.self) }
        #expect(error?.code == .decryptionFailed)
        #expect(error?.response?.body.isEmpty == true)
    }

    @Test func aRedirectIsFollowedOnlyWhenItIsSealedAndTheNextHopIsSealedForItsOwnPath() async throws {
        let (client, stub) = client(KeyringCipher(try Known.keyring())) { request, cipher in
            let plain = try cipher.open(request).request
            switch request.url.path {
            case "/a": return try cipher.seal(.redirect(to: "/b", status: .permanentRedirect), to: request)
            case "/plain": return .redirect(to: "/b", status: .permanentRedirect)
            default: return try cipher.seal(.json(plain.text), to: request)
            }
        }
        #expect(try await client.post("/a", ["n": 7], as: Number.self) == Number(n: 7))
        #expect(stub.requests.map(\.url.path) == ["/a", "/b"])
        #expect(await failure { _ = try await client.post("/plain", ["n": 7], as: Number.self) }?.code == .unencryptedResponse)
        #expect(stub.requests.map(\.url.path) == ["/a", "/b", "/plain"])
    }

    @Test func aGatewaysPageTellsItsStatus() async throws {
        let (client, _) = client(KeyringCipher(try Known.keyring())) { _, _ in .text("<html>", status: .badGateway) }
        let error = await failure { _ = try await client.get("/n", as: Number.self) }
        #expect(error?.code == .unencryptedResponse)
        #expect(error?.status == .badGateway)
        let lenient = KeyringCipher(try Known.keyring(), plainResponses: .acceptedFromFailures)
        #expect(await failure { _ = try await client.get("/n", as: Number.self) { $0.encryption = .cipher(lenient) } }?.code == .unacceptableStatus)
    }
}
#endif
