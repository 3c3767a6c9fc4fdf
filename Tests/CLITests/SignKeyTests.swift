#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacCrypto
import TarmacTesting
import Testing

@testable import TarmacCLI

/// `--sign-key-file`: XF-11's signing from the command line.
@Suite("--sign-key-file", .timeLimit(.minutes(5))) struct SignKeyTests {
    private let folder: URL
    private let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
    private let pem = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF\n-----END PRIVATE KEY-----\n"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    private func plan(_ arguments: String...) throws -> CallPlan { try CallPlan(.post, CallArguments.parse(["https://s.example/x"] + arguments)) }

    /// What a server sees of a planned call.
    private func sent(_ plan: CallPlan) async throws -> Request {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(transport: .stub(stub))
        try await client.send(plan.endpoint)
        return try #require(stub.requests.first)
    }

    @Test func aSecretSignsWithHMACAndIsNamedAfterItsFile() async throws {
        let plan = try plan("a=1", "--sign-key-file", try file("app-1.key", secret + "\n"))
        let request = try await sent(plan)
        let input = request.headers[try #require(.init("Signature-Input"))]
        #expect(input?.contains(#"keyid="app-1""#) == true)
        #expect(input?.contains(#"alg="hmac-sha256""#) == true)
        #expect(input?.contains(#""content-digest""#) == true)
        #expect(request.headers[try #require(.init("Signature"))]?.hasPrefix("sig1=:") == true)
    }

    @Test func aPEMKeySignsWithEd25519UnderTheGivenID() async throws {
        let plan = try plan("--data", "@\(try file("body.json", "{}"))", "--sign-key-file", try file("k.pem", pem), "--sign-key-id", "me")
        let request = try await sent(plan)
        let input = request.headers[try #require(.init("Signature-Input"))]
        #expect(input?.contains(#"keyid="me""#) == true)
        #expect(input?.contains(#"alg="ed25519""#) == true)
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.body.buffered == Bytes("{}"))
    }

    @Test(arguments: ["", "not a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"])
    func aFileWithoutAKeyIsRefusedWithoutBeingRepeated(_ text: String) throws {
        let path = try file("k", text)
        let error = #expect(throws: TarmacError.self) { try plan("--sign-key-file", path) }
        #expect(error?.code == .invalidOption)
        #expect(text.isEmpty || error?.description.contains(text) == false)
        #expect(error?.reason.contains(path) == true)
    }

    @Test func whatCannotBeSignedIsRefused() throws {
        let path = try file("k", secret)
        #expect(throws: TarmacError.self) { try plan("--sign-key-file", "/no/such/file") }
        #expect(throws: TarmacError.self) { try plan("--sign-key-file", folder.path) }
        #expect(throws: TarmacError.self) { try plan("--sign-key-id", "x") }
        #expect(throws: TarmacError.self) { try plan("--sign-key-file", path, "--curl") }
        #expect(throws: TarmacError.self) { try plan("--sign-key-file", path, "--data", "-") }
        #expect(throws: TarmacError.self) { try plan("--sign-key-file", try file("long", String(repeating: "A", count: 20_000))) }
    }

    @Test func theKeyIsExplainedByItsTypeAlone() throws {
        let plan = try plan("--sign-key-file", try file("k", secret))
        let text = Client(transport: .stub { _ in .json("{}") }).explain(plan.endpoint).description
        #expect(text.contains("signing MessageSigner"))
        #expect(!text.contains(secret))
    }
}
#endif
