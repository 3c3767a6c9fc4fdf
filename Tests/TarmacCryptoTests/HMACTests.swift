#if Crypto
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacSigning
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-11: HMAC over the encoded body with timestamp and nonce, both ways.
@Suite("HMAC signatures", .timeLimit(.minutes(5)))
struct HMACTests {
    private static let nonces = NonceSource { Array(UInt8(0)..<UInt8($0)) }
    private static let now = Date.unix(1_700_000_000)
    private let signer = HMACRequestSigner("app-1", Known.secret, fields: .standard, nonces: nonces)
    private let verifier = HMACResponseVerifier(keys: ["app-1": Known.secret, "app-2": Known.other])

    private func order() throws -> Request { try Request(.post, "https://api.shop.example/v1/orders?page=2", json: "{\"n\":7}") }

    private func exchange(_ response: Response = .json("{\"ok\":true}")) throws -> (sent: Request, answer: Response) {
        let sent = try HMACRequestSigner("app-1", Known.secret).sign(order(), at: Self.now)
        return (sent, try verifier.signed(response, to: sent, keyID: "app-1", at: Self.now))
    }

    /// Computed by Python's hmac, after the documentation.
    @Test func theSignatureOfARequestIsAsDocumented() throws {
        let signed = try signer.sign(order(), at: Self.now)
        #expect(signed.headers[HMACFields.standard.key] == "app-1")
        #expect(signed.headers[HMACFields.standard.timestamp] == "1700000000")
        #expect(signed.headers[HMACFields.standard.nonce] == "000102030405060708090a0b0c0d0e0f")
        #expect(signed.headers[HMACFields.standard.signature] == "281e54e2cedb613a5787240539758cc2cfa4d3c57a8a78d8c6823dce94dd4a8b")
    }

    /// Computed by Python's hmac, after the documentation.
    @Test func aResponseSignedElsewhereIsAccepted() throws {
        let sent = try signer.sign(order(), at: Self.now)
        var answer = Response.json("{\"ok\":true}")
        answer.headers[HMACFields.standard.key] = "app-1"
        answer.headers[HMACFields.standard.timestamp] = "1700000001"
        answer.headers[HMACFields.standard.nonce] = "ff"
        answer.headers[HMACFields.standard.signature] = "490d7765b4193c1e7caf33199d6490f5cccb3a1e44c7805e58712e833b84d238"
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    @Test func eachSignatureHasANonceOfItsOwn() throws {
        let signer = HMACRequestSigner("app-1", Known.secret)
        let nonces = try (0..<200).map { _ in try signer.sign(order(), at: Self.now).headers[HMACFields.standard.nonce] }
        #expect(Set(nonces).count == 200)
    }

    @Test func whatIsChangedIsRefused() throws {
        let (sent, answer) = try exchange(.redirect(to: "/a"))
        let fields = HMACFields.standard
        let changes: [(String, (inout Response) -> Void, TarmacError.Code)] = [
            ("body", { $0.body = .bytes(Bytes("{}")) }, .signatureInvalid), ("status", { $0.status = .ok }, .signatureInvalid),
            ("location", { $0.headers[.location] = "/b" }, .signatureInvalid), ("type", { $0.headers[.contentType] = "text/html" }, .signatureInvalid),
            ("time", { $0.headers[fields.timestamp] = "1700000001" }, .signatureInvalid), ("nonce", { $0.headers[fields.nonce] = "00" }, .signatureInvalid),
            ("key", { $0.headers[fields.key] = "app-2" }, .signatureInvalid), ("unknown key", { $0.headers[fields.key] = "app-3" }, .unknownKey),
            ("no signature", { $0.headers[fields.signature] = nil }, .signatureMissing), ("no key", { $0.headers[fields.key] = nil }, .signatureInvalid),
            ("no time", { $0.headers[fields.timestamp] = nil }, .signatureInvalid), ("no nonce", { $0.headers[fields.nonce] = nil }, .signatureInvalid),
            ("odd digits", { $0.headers[fields.signature]?.removeLast() }, .signatureInvalid),
            ("no digits", { $0.headers[fields.signature] = "zz" }, .signatureInvalid), ("empty", { $0.headers[fields.signature] = "" }, .signatureInvalid),
            ("shortened", { $0.headers[fields.signature]?.removeLast(2) }, .signatureInvalid),
            ("odd time", { $0.headers[fields.timestamp] = "+1700000000" }, .signatureInvalid),
            ("huge time", { $0.headers[fields.timestamp] = "99999999999999999999" }, .signatureInvalid),
        ]
        for (name, change, code) in changes {
            var changed = answer
            change(&changed)
            #expect(refusal(name) { try verifier.verify(changed, to: sent, at: Self.now) }?.code == code, "\(name)")
        }
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    @Test func anAnswerToAnotherRequestIsRefused() throws {
        let (sent, answer) = try exchange()
        let again = try HMACRequestSigner("app-1", Known.secret).sign(order(), at: Self.now)
        #expect(refusal { try verifier.verify(answer, to: again, at: Self.now) }?.code == .signatureInvalid)
        var moved = sent
        moved.url = try HTTPURL("https://api.shop.example/v1/orders?page=3")
        #expect(refusal { try verifier.verify(answer, to: moved, at: Self.now) }?.code == .signatureInvalid)
    }

    /// What the handler for GET says is signed as HTTP brings it: without the body.
    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func anAnswerThatLosesItsBodyOnTheWireIsSignedWithoutIt(_ method: HTTPRequest.Method, _ status: Int) throws {
        let sent = try signer.sign(Request(method, "https://api.shop.example/v1/orders"), at: Self.now)
        var answer = try verifier.signed(.json("{}", status: .init(code: status)), to: sent, keyID: "app-1", at: Self.now)
        #expect(answer.body.collected?.isEmpty == true)
        var smuggled = answer
        smuggled.body = .bytes(Bytes("{}"))
        #expect(refusal { try verifier.verify(smuggled, to: sent, at: Self.now) }?.code == .signatureInvalid)
        answer.body = .bytes(.empty)
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    /// Where the request is not signed there is no nonce to tell two of one URL apart.
    @Test func anAnswerToAnotherBodyIsRefused() throws {
        let one = try order(), other = try Request(.post, "https://api.shop.example/v1/orders?page=2", json: "{\"n\":8}")
        let recorded = try verifier.signed(.json("{\"ok\":true}"), to: one, keyID: "app-1", at: Self.now)
        #expect(refusal { try verifier.verify(recorded, to: other, at: Self.now) }?.code == .signatureInvalid)
        try verifier.verify(recorded, to: one, at: Self.now)
    }

    @Test(arguments: ["Content-Encoding", "Content-Range", "Location", "Content-Type"])
    func aFieldThatIsAddedAndDecidesHowTheAnswerIsReadIsRefused(name: String) throws {
        let name = try #require(HTTPField.Name(name))
        let (sent, answer) = try exchange(Response(status: .ok, headers: [:], body: .bytes(Bytes("{}")), url: try order().url))
        var changed = answer
        changed.headers[name] = "gzip"
        #expect(refusal { try verifier.verify(changed, to: sent, at: Self.now) }?.code == .signatureInvalid)
        try verifier.verify(answer, to: sent, at: Self.now)
    }

    /// It is what the server is asked for, and all it sees.
    @Test func theHostFieldIsTheAuthorityWhereThereIsOne() throws {
        let host = try #require(HTTPField.Name("Host")), field = HMACFields.standard.signature
        var local = try Request(.post, "https://127.0.0.1:8443/v1/orders?page=2", json: "{\"n\":7}")
        local.headers[host] = "API.shop.example"
        let expected = try signer.sign(order(), at: Self.now).headers[field]
        #expect(try signer.sign(local, at: Self.now).headers[field] == expected)
        let answer = try verifier.signed(.json("{}"), to: order(), keyID: "app-1", at: Self.now)
        try verifier.verify(answer, to: local, at: Self.now)
    }

    @Test func theCodingOfARequestIsSigned() throws {
        var coded = try order()
        coded.headers[.contentEncoding] = "gzip"
        let field = HMACFields.standard.signature
        #expect(try signer.sign(coded, at: Self.now).headers[field] != signer.sign(order(), at: Self.now).headers[field])
    }

    @Test func aBodyThatCannotBeTiedToItsAnswerIsRefusedBeforeItIsSent() throws {
        let streamed = Request(.post, try HTTPURL("https://s.example/a"), body: .stream(ByteStream { fatalError("it must not be read") }))
        #expect(refusal { _ = try verifier.prepare(streamed) }?.code == .unsupported)
        #expect(refusal { try verifier.verify(.json("{}"), to: streamed, at: Self.now) }?.code == .unsupported)
    }

    @Test func anEmptyKeyIsRefused() throws {
        let empty = SecretKey([UInt8]())
        #expect(refusal { _ = try HMACRequestSigner("app-1", empty).sign(order(), at: Self.now) }?.code == .invalidOption)
        let open = HMACResponseVerifier(keys: ["app-1": empty])
        let answer = try open.signed(.json("{}"), to: order(), keyID: "app-1", at: Self.now)
        #expect(refusal { try open.verify(answer, to: order(), at: Self.now) }?.code == .invalidOption)
    }

    /// A setting may say: for ever.
    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 2, .seconds(Int64.min)])
    func aWindowBeyondAllNumbersIsCounted(_ span: Duration) throws {
        let freshness = FreshnessWindow(maximumAge: span, clockSkew: span)
        let verifier = HMACResponseVerifier(keys: ["app-1": Known.secret], freshness: freshness)
        let answer = try verifier.signed(.json("{}"), to: order(), keyID: "app-1", at: Self.now)
        if span > .zero {
            try verifier.verify(answer, to: order(), at: Self.now.addingTimeInterval(1e9))
        } else {
            #expect(refusal { try verifier.verify(answer, to: order(), at: Self.now) }?.code == .signatureExpired)
        }
    }

    @Test(arguments: [
        (FreshnessWindow(maximumAge: .seconds(-1)), 1), (FreshnessWindow(clockSkew: .seconds(-1)), 1), (FreshnessWindow(), 0), (FreshnessWindow(), -1),
    ])
    func aVerifierThatCouldAcceptNothingIsRefusedBeforeItIsAsked(_ freshness: FreshnessWindow, _ capacity: Int) throws {
        let plain = try order()
        let hmac = HMACResponseVerifier(keys: ["app-1": Known.secret], freshness: freshness, capacity: capacity)
        #expect(refusal { _ = try hmac.prepare(plain) }?.code == .invalidOption)
        let message = MessageVerifier([], freshness: freshness, capacity: capacity)
        #expect(refusal { _ = try message.prepare(plain) }?.code == .invalidOption)
    }

    @Test func theSameResponseIsAcceptedOnce() throws {
        let plain = try order()
        let answer = try verifier.signed(.json("{}"), to: plain, keyID: "app-1", at: Self.now)
        try verifier.verify(answer, to: plain, at: Self.now)
        #expect(refusal { try verifier.verify(answer, to: plain, at: Self.now) }?.code == .signatureReplayed)
        let copy = verifier
        #expect(refusal { try copy.verify(answer, to: plain, at: Self.now) }?.code == .signatureReplayed, "copies remember together")
    }

    @Test(arguments: [(-61, true), (-60, false), (0, false), (359, false), (360, false), (361, true)])
    func aResponseOutOfItsTimeIsRefused(_ age: Int, _ isRefused: Bool) throws {
        let (sent, answer) = try exchange()
        let later = Date.unix(1_700_000_000 + age)
        if isRefused {
            #expect(refusal { try verifier.verify(answer, to: sent, at: later) }?.code == .signatureExpired)
        } else {
            try verifier.verify(answer, to: sent, at: later)
        }
    }

    @Test func namesOfFieldsAndKeysAreChecked() throws {
        #expect(refusal { _ = try HMACFields(key: "a b", timestamp: "t", nonce: "n", signature: "s") }?.code == .invalidParameter)
        #expect(refusal { _ = try HMACRequestSigner("a\r\nb", Known.secret).sign(order(), at: Self.now) }?.code == .invalidParameter)
        let own = try HMACFields(key: "K", timestamp: "T", nonce: "N", signature: "S")
        #expect(try HMACRequestSigner("app-1", Known.secret, fields: own).sign(order(), at: Self.now).headers[.init("S")!] != nil)
    }

    @Test func aCallIsSignedAndVerifiedAndAReplayIsRefused() async throws {
        let time = ManualTime(date: Self.now)
        let old = Watched<Response?>(nil)
        let verifier = verifier
        let stub = StubTransport { request in
            if let old = old.value { return old }
            let answer = try verifier.signed(.json("{\"n\":1}"), to: request, keyID: "app-1", at: time.date)
            old.update { $0 = answer }
            return answer
        }
        let client = Client(stub, time: time) {
            $0.signing = .signer(HMACRequestSigner("app-1", Known.secret))
            $0.verification = .verifier(verifier)
        }
        #expect(try await client.get("/n", as: Number.self) == Number(n: 1))
        let error = await failure { _ = try await client.get("/n", as: Number.self) }
        #expect(error?.code == .signatureInvalid, "it answers another request")
        #expect(error?.response?.body.isEmpty == true)
    }
}

@Suite("Replay window")
struct ReplayWindowTests {
    private func id(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    @Test func aMessageIsFreshOnce() {
        var window = ReplayWindow(seconds: 10, capacity: 100)
        #expect(window.admit(id(1), created: 5, now: 5) == .fresh)
        #expect(window.admit(id(1), created: 5, now: 15) == .seen)
        #expect(window.admit(id(2), created: 5, now: 15) == .fresh)
        #expect(window.admit(id(1), created: 6, now: 15) == .fresh)
    }

    @Test func whatCannotComeAgainIsForgotten() {
        var window = ReplayWindow(seconds: 10, capacity: 1_000)
        for second in 0..<1_000 { _ = window.admit(id(second), created: Int64(second), now: Int64(second)) }
        #expect(window.count == 11)
    }

    @Test func aFullWindowForgetsTheOldestAndAdmitsNothingAsOld() {
        var window = ReplayWindow(seconds: 100, capacity: 3)
        for number in 1...3 { #expect(window.admit(id(number), created: Int64(number), now: 3) == .fresh) }
        #expect(window.admit(id(4), created: 4, now: 4) == .fresh)
        #expect(window.count == 3)
        #expect(window.admit(id(1), created: 1, now: 4) == .forgotten)
        #expect(window.admit(id(9), created: 1, now: 4) == .forgotten)
        #expect(window.admit(id(2), created: 2, now: 4) == .seen)
    }

    @Test func whatWasForgottenIsNotFreshAgainWhenTheClockIsSetBack() {
        var window = ReplayWindow(seconds: 361, capacity: 100)
        let time: Int64 = 1_700_000_000
        #expect(window.admit(id(1), created: time, now: time) == .fresh)
        #expect(window.admit(id(2), created: time + 20, now: time + 370) == .fresh)
        #expect(window.count == 1)
        #expect(window.admit(id(1), created: time, now: time + 25) == .forgotten)
        #expect(window.admit(id(2), created: time + 20, now: time + 25) == .seen)
        #expect(window.admit(id(3), created: time + 1, now: time + 25) == .fresh)
    }

    @Test func noReplayGetsThroughHoweverMuchIsSeen() {
        var window = ReplayWindow(seconds: 50, capacity: 16)
        var generator = SeededGenerator(seed: 7)
        var accepted: Set<[UInt8]> = []
        for step in 0..<20_000 {
            let now = Int64(step / 20)
            let created = now - Int64.random(in: 0...40, using: &generator)
            let id = id(Int(created) << 8 | Int.random(in: 0..<64, using: &generator))
            guard window.admit(id, created: created, now: now) == .fresh else { continue }
            #expect(accepted.insert(id).inserted, "step \(step)")
            #expect(window.count <= 16)
        }
        #expect(accepted.count > 500)
    }

    @Test func timesAtTheEdgesOfTheRangeDoNotTrap() throws {
        var window = ReplayWindow(seconds: 10, capacity: 2)
        for created in [Int64.min, .max, 0] { _ = window.admit(id(1), created: created, now: .min) }
        let freshness = FreshnessWindow()
        for created in [Int64.min, .max] {
            for now in [Int64.min, .max] where created != now {
                #expect(refusal { try freshness.check(created: created, expires: nil, now: now) }?.code == .signatureExpired)
            }
        }
        #expect(refusal { try freshness.check(created: 0, expires: .min, now: 0) }?.code == .signatureExpired)
    }
}
#endif
