import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacTesting
import Testing

/// A service may have an envelope and serve files of JSON: the file is what was sent, and nothing is looked for in it.
@Suite("The verdict of a download", .timeLimit(.minutes(5)))
struct FileVerdictTests {
    private static let envelope = Envelope(success: { $0["status"] == 1 }, message: "message", payload: "data")

    // QSP-29: a file is not looked into.
    @Test(arguments: [#"{"rows":[]}"#, ""])
    func noEnvelopeIsLookedForInAFile(body: String) async throws {
        let file = try TransferFile()
        let client = Client(StubTransport { _ in .json(body) }) {
            $0.envelope = Self.envelope
            $0.shape = ["rows": .array]
        }
        try await client.send(Download(.get("/export.json"), to: file.path))
        #expect(file.text == body)
        // What lands as JSON elsewhere is a file here.
        try await client.send(Download(.get("/export.json", as: Number.self), to: file.path))
        #expect(file.text == body)
    }

    @Test func aStatusOfFailureStillHasTheServersWords() async throws {
        let file = try TransferFile()
        let client = Client(StubTransport { _ in .json(#"{"status":0,"message":"sold out"}"#, status: .gone) }) {
            $0.envelope = Self.envelope
        }
        let error = await failure { try await client.send(Download(.get("/export.json"), to: file.path)) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.serverMessage == "sold out")
        #expect(file.text == nil)
    }
}
