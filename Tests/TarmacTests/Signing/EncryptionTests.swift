import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacSigning
import TarmacStreams
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// XF-11 (encrypt, send, decrypt, then decode) and XF-B9 (a decryptor is handed a body, never a URL).
@Suite("Encryption", .timeLimit(.minutes(5)))
struct EncryptionTests {
    private func text(_ request: Request) -> String { String(decoding: request.body.buffered?.array ?? [], as: UTF8.self) }
    private func plain(_ request: Request) -> String { String(decoding: Flip.flip(request.body.buffered ?? .empty).array, as: UTF8.self) }

    @Test func bodiesAreSealedOnTheWireAndOpenedBeforeTheVerdict() async throws {
        let stub = StubTransport { .flipped(#"{"ok":true,"data":{"n":7}}"#, $0) }
        let client = Client(stub) {
            $0.encryption = .cipher(Flip())
            $0.envelope = Envelope(success: { $0["ok"] == true }, payload: "data")
        }
        #expect(try await client.post("/a", ["n": 7], as: Number.self) == Number(n: 7))
        let request = try #require(stub.requests.first)
        #expect(text(request) != #"{"n":7}"#)
        #expect(plain(request) == #"{"n":7}"#)
    }

    // XF-11: the answer of a failure by its status is decrypted too.
    @Test func aFailureStatusIsOpenedToo() async throws {
        let client = Client(StubTransport { .flipped(#"{"detail":"full"}"#, $0, status: .conflict) }) { $0.encryption = .cipher(Flip()) }
        let error = await failure { try await client.post("/a") }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.response?.body == Bytes(#"{"detail":"full"}"#) && error?.response?.isTruncated == false)
    }

    @Test func everyRequestIsSealedAnew() async throws {
        let stub = StubTransport { request in
            request.url.path == "/a" ? .marked(.redirect(to: "/b", status: .temporaryRedirect), request) : .flipped("{\"n\":1}", request)
        }
        let client = Client(stub) { $0.encryption = .cipher(Flip()) }
        #expect(try await client.post("/a", ["n": 1], as: Number.self) == Number(n: 1))
        #expect(stub.requests.map { $0.headers[.flip] } == ["1", "2"])
        #expect(stub.requests.map(plain) == [#"{"n":1}"#, #"{"n":1}"#])
    }

    @Test func aResponseForAnotherRequestIsRefusedBeforeItIsDecoded() async throws {
        let client = Client(
            StubTransport { request in
                var answer = Response.flipped("{\"n\":1}", request)
                answer.headers[.flip] = "99"
                return answer
            }
        ) { $0.encryption = .cipher(Flip()) }
        let error = await failure { _ = try await client.get("/a", as: Number.self) }
        #expect(error?.code == .decryptionFailed)
        #expect(error?.status == .ok)
        #expect(error?.response?.body.isEmpty == true, "a body that is not believed is not handed on")
        #expect(error?.response?.isTruncated == true)
    }

    @Test func aForeignErrorOfACipherIsItsCause() async throws {
        struct Broken: PayloadCipher {
            let seals: Bool
            func seal(_ request: Request, at date: Date) throws -> Request { if seals { request } else { throw Foreign() } }
            func open(_ response: Response, to request: Request, at date: Date) throws -> Response { throw Foreign(number: 2) }
        }
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub)
        let sealing = await failure { try await client.post("/a") { $0.encryption = .cipher(Broken(seals: false)) } }
        #expect(sealing?.code == .callerFailed)
        #expect(sealing?.cause(as: Foreign.self) == Foreign())
        #expect(stub.requests.isEmpty)
        let opening = await failure { try await client.post("/a") { $0.encryption = .cipher(Broken(seals: true)) } }
        #expect(opening?.code == .decryptionFailed)
        #expect(opening?.cause(as: Foreign.self) == Foreign(number: 2))
    }

    @Test func bodiesThatAreNotInMemoryAreRefusedBeforeAnythingIsSent() async throws {
        let stub = StubTransport { .flipped("{}", $0) }
        let client = Client(stub) { $0.encryption = .cipher(Flip()) }
        let stream = Body.stream(ByteStream(AsyncStream { $0.finish() }))
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for body in [stream, try .file(path)] {
            let error = await failure { try await client.post("/a", body: body) }
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains("encryption") == true)
            #expect(error?.attempts == 0)
        }
        #expect(stub.requests.isEmpty)
    }

    // XF-B9: a cipher is given a body and never the place of a file.
    @Test func streamsAndDownloadsAreRefusedBeforeAnythingIsSent() async throws {
        let stub = StubTransport { .flipped("{}", $0) }
        let client = Client(stub) { $0.encryption = .cipher(Flip()) }
        let endpoint = InlineEndpoint<Void>.get("/a")
        #expect(await failure { try await client.stream(endpoint) { _ in } }?.code == .unsupported)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        #expect(await failure { try await client.send(Download(endpoint, to: path)) }?.code == .unsupported)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(stub.requests.isEmpty)
    }

    @Test func aStrangerGetsNoPlainBody() async throws {
        let stub = StubTransport { request in
            .marked(.redirect(to: "https://evil.example/b", status: .temporaryRedirect), request)
        }
        let client = Client(stub) { $0.encryption = .cipher(Flip()) }
        let led = await failure { try await client.post("/a", ["pin": 1]) }
        #expect(led?.code == .redirectRefused)
        #expect(stub.requests.map(\.url.host) == ["s.example"])
        let asked = await failure { try await client.post("https://evil.example/b", ["pin": 1]) }
        #expect(asked?.code == .unsupported)
        #expect(asked?.suggestion?.contains("encryption = .off") == true)
        #expect(stub.requests.count == 1)
    }

    @Test func whatIsOpenedIsBounded() async throws {
        let client = Client(StubTransport { .flipped("{}", $0) }) {
            $0.encryption = .cipher(Flip(opensTo: 101))
            $0.maximumInflatedSize = 100
        }
        #expect(await failure { _ = try await client.get("/a", as: String.self) }?.code == .bodyTooLarge)
        #expect(try await client.get("/a", as: String.self) { $0.maximumInflatedSize = 101 }.utf8.count == 101)
    }

    @Test func offSwitchesALowerLayersCipherOff() async throws {
        let stub = StubTransport { _ in .json("{\"n\":1}") }
        let client = Client(stub) { $0.encryption = .cipher(Flip()) }
        #expect(try await client.post("/a", ["n": 1], as: Number.self) { $0.encryption = .off } == Number(n: 1))
        #expect(text(try #require(stub.requests.first)) == #"{"n":1}"#)
    }

    @Test func aTransformSeesTheDateOfTheClientsClock() async throws {
        struct Dated: ParameterTransform {
            func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList {
                var list = parameters
                list["t"] = .int(Int64(request.date.timeIntervalSinceReferenceDate))
                return list
            }
        }
        let time = ManualTime()
        time.advance(by: .seconds(90))
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub, time: time) { $0.parameterTransforms = [Dated()] }
        try await client.send(InlineEndpoint<Void>.get("/a"))
        #expect(stub.requests.first?.url.query == "t=90")
    }
}

extension Response {
    /// A response without a body that a flipping client accepts.
    fileprivate static func marked(_ response: Response, _ request: Request) -> Response {
        var response = response
        response.headers[.flip] = request.headers[.flip]
        return response
    }
}
