import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSigning
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-11: requests signed over the encoded body, responses verified before they are decoded.
@Suite("Signing and verification", .timeLimit(.minutes(5)))
struct SignatureTests {
    @Test func aSignatureIsMadeAtTheWireAfterTheWaitForASlot() async throws {
        let time = ManualTime()
        let stub = StubTransport { .numbered(.json("{}"), $0) }
        let client = Client(stub, concurrency: 1, time: time) { $0.signing = .signer(Counting()) }
        stub.hold()
        let first = Task { try await client.post("/a") }
        try await stub.received(count: 1)
        let second = Task { try await client.post("/b") }
        time.advance(by: .seconds(30))
        stub.release()
        try await first.value
        try await second.value
        let numbers = stub.requests.compactMap { $0.headers[.number]?.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(numbers == ["1 0", "2 30"])
    }

    @Test func everyRedirectHopOfTheServiceIsSignedAnewAndAStrangerNever() async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/a": .redirect(to: "/b")
            case "/b": .redirect(to: "https://cdn.example/c")
            default: .json("{}")
            }
        }
        let client = Client(stub) { $0.signing = .signer(Counting()) }
        try await client.send(InlineEndpoint<Void>.get("/a"))
        #expect(stub.requests.map { $0.headers[.number]?.first } == ["1", "2", nil])
    }

    @Test func theSignerSeesTheSealedBody() async throws {
        struct Padding: PayloadCipher {
            func seal(_ request: Request, at date: Date) throws -> Request {
                var sealed = request
                sealed.body = .bytes(Bytes([UInt8](repeating: 1, count: 500)))
                return sealed
            }
            func open(_ response: Response, to request: Request, at date: Date) throws -> Response { response }
        }
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) {
            $0.encryption = .cipher(Padding())
            $0.signing = .signer(Counting())
        }
        try await client.post("/a", ["n": 1])
        #expect(stub.requests.first?.headers[.number]?.hasSuffix(" 500") == true)
    }

    @Test func aBodyThatIsNotInMemoryIsRefusedBeforeAnythingIsSent() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) { $0.signing = .signer(Counting()) }
        let error = await failure { try await client.post("/a", body: .stream(ByteStream(AsyncStream { $0.finish() }))) }
        #expect(error?.code == .unsupported)
        #expect(stub.requests.isEmpty)
    }

    @Test func aSignedCallMayStreamItsResponse() async throws {
        let stub = StubTransport { _ in .chunks(["a", "b"]) }
        let client = Client(stub) { $0.signing = .signer(Counting()) }
        let text = try await client.stream(InlineEndpoint<Void>.get("/a")) { try await $0.body.collect(upTo: 9) }
        #expect(text == Bytes("ab"))
        #expect(stub.requests.first?.headers[.number] != nil)
    }

    @Test func aVerifiedResponseLandsAndAnyOtherIsRefused() async throws {
        let stub = StubTransport { request in
            switch request.url.path {
            case "/good": return .numbered(.json("{\"n\":1}"), request)
            case "/bare": return .json("{\"n\":1}")
            default:
                var answer = Response.numbered(.json("{\"n\":1}"), request)
                answer.body = .bytes(Bytes("{\"n\":22}"))
                return answer
            }
        }
        let client = Client(stub) {
            $0.signing = .signer(Counting())
            $0.verification = .verifier(Echoed())
        }
        #expect(try await client.get("/good", as: Number.self) == Number(n: 1))
        let bare = await failure { _ = try await client.get("/bare", as: Number.self) }
        #expect(bare?.code == .signatureMissing)
        let forged = await failure { _ = try await client.get("/forged", as: Number.self) }
        #expect(forged?.code == .signatureInvalid)
        #expect(forged?.cause(as: Foreign.self) != nil)
        #expect(forged?.response?.body.isEmpty == true)
    }

    @Test func aRedirectIsVerifiedBeforeItIsFollowed() async throws {
        let stub = StubTransport { request in request.url.path == "/a" ? .redirect(to: "/b") : .numbered(.json("{}"), request) }
        let client = Client(stub) {
            $0.signing = .signer(Counting())
            $0.verification = .verifier(Echoed())
        }
        #expect(await failure { try await client.send(InlineEndpoint<Void>.get("/a")) }?.code == .signatureMissing)
        #expect(stub.requests.count == 1)
    }

    @Test func verificationSeesTheBytesOfTheWireBeforeTheyAreInflated() async throws {
        let stub = StubTransport { request in
            .numbered(.bytes(Bytes(Coded.gzip), contentType: "text/plain", headers: [.contentEncoding: "gzip"]), request)
        }
        let client = Client(stub) {
            $0.signing = .signer(Counting())
            $0.verification = .verifier(Echoed())
        }
        #expect(try await client.get("/a", as: String.self) == Coded.text)
    }

    @Test func aTransportThatDecodesIsAskedForNoCoding() async throws {
        let stub = StubTransport(capabilities: [.everything, .decodesContent]) { .numbered(.json("{}"), $0) }
        let client = Client(stub) {
            $0.signing = .signer(Counting())
            $0.verification = .verifier(Echoed())
        }
        try await client.send(InlineEndpoint<Void>.get("/a"))
        #expect(stub.requests.first?.headers[.acceptEncoding] == "identity")
    }

    @Test func streamsDownloadsAndStrangersAreNotVerifiableAndRefused() async throws {
        let stub = StubTransport { .numbered(.json("{}"), $0) }
        let client = Client(stub) { $0.verification = .verifier(Echoed()) }
        #expect(await failure { try await client.stream(InlineEndpoint<Void>.get("/a")) { _ in } }?.code == .unsupported)
        #expect(await failure { try await client.send(InlineEndpoint<Void>.get("https://evil.example/")) }?.code == .unsupported)
        #expect(stub.requests.isEmpty)
    }

    /// Keys come with a login and are changed while the client lives.
    @Test func theSignerInForceIsAskedForEachRequest() async throws {
        struct Keyed: RequestSigner, ResponseVerifier {
            let key: String
            func sign(_ request: Request, at date: Date) throws -> Request {
                var signed = request
                signed.headers[.number] = key
                return signed
            }
            func verify(_ response: Response, to request: Request, at date: Date) throws {
                if response.headers[.number] != key { throw Foreign() }
            }
        }
        let key = Watched<String?>(nil)
        let inForce: @Sendable () throws -> Keyed = {
            guard let key = key.value else { throw Foreign() }
            return Keyed(key: key)
        }
        let stub = StubTransport { .numbered(.json("{}"), $0) }
        let client = Client(stub) {
            $0.signing = .signer { try inForce() }
            $0.verification = .verifier { try inForce() }
        }
        #expect(await failure { try await client.get("/a") }?.code == .callerFailed)
        #expect(stub.requests.isEmpty, "without a key nothing is sent")
        for next in ["first", "second"] {
            key.update { $0 = next }
            try await client.get("/a")
        }
        #expect(stub.requests.map { $0.headers[.number] } == ["first", "second"])
        stub.hold()
        let late = Task { await failure { try await client.get("/a") } }
        try await stub.received(count: 3)
        key.update { $0 = "third" }
        stub.release()
        #expect(await late.value?.code == .signatureInvalid)
    }
}
