import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
import TarmacCore

/// The names that layers hide and show, and the text in place of a value.
@Suite("Masked names", .timeLimit(.minutes(5)))
struct MaskedNameTests {
    private static let value = "q7F3aK9zX2"

    private func client(
        _ configure: (inout Options) -> Void = { _ in }, answer: @escaping @Sendable (Request) -> Response = { _ in .status(.badRequest) }
    ) -> Client {
        Client(StubTransport { answer($0) }, configure: configure)
    }

    /// The ways in which one call shows its query.
    private func texts(_ client: Client, _ name: String, configure: (inout Options) -> Void = { _ in }) async throws -> [String] {
        let endpoint = InlineEndpoint<Void>.get("/a", [name: Self.value])
        let error = try #require(await failure { try await client.send(endpoint, configure: configure) })
        return [
            client.explain(endpoint, configure: configure).request, error.description,
            CurlPrinter().command(for: try client.request(for: endpoint, configure: configure)),
        ]
    }

    @Test func explainAndCurlSayWhichRuleMasks() async throws {
        let texts = try await texts(client(), "authToken")
        #expect(texts[0] == "GET https://s.example/a?authToken=‹masked: token›")
        #expect(texts[1].contains("?authToken=‹masked›)"))
        #expect(texts[2].contains("authToken=‹masked: token›"))
        #expect(try await self.texts(client { $0.secretNames = ["shoe"] }, "shoe")[0].hasSuffix("shoe=‹masked: named›"))
    }

    @Test func aLayerShowsANameThatItsWordsHide() async throws {
        for text in try await texts(client(), "device_token") { #expect(!text.contains(Self.value), "\(text)") }
        for text in try await texts(client { $0.shownNames = ["deviceToken"] }, "device_token") { #expect(text.contains(Self.value), "\(text)") }
    }

    @Test func theUpperLayerDecides() async throws {
        for text in try await texts(client { $0.shownNames = ["deviceToken"] }, "device_token", configure: { $0.secretNames = ["device_token"] }) {
            #expect(!text.contains(Self.value), "\(text)")
        }
        for text in try await texts(client { $0.secretNames = ["shoe"] }, "shoe", configure: { $0.shownNames = ["shoe"] }) {
            #expect(text.contains(Self.value), "\(text)")
        }
        for text in try await texts(client { $0.secretNames = ["device_token"] }, "device-token", configure: { $0.shownNames = ["deviceToken"] }) {
            #expect(text.contains(Self.value), "\(text)")
        }
        #expect(Redactor.standard.showing("deviceToken").adding(parameters: ["device_token"]).shownNames.isEmpty)
        let both = client {
            $0.secretNames = ["shoe"]
            $0.shownNames = ["shoe"]
        }
        for text in try await texts(both, "shoe") { #expect(!text.contains(Self.value), "\(text)") }
    }

    @Test func aServerThatRepeatsASecretDoesNotShowIt() async throws {
        let client = client({ $0.authenticator = .bearer(Self.value) }) { request in
            let token = request.headers[.authorization]?.split(separator: " ").last ?? ""
            return .json(#"{"title":"no such token \#(token)","n":1}"#, status: .badRequest)
        }
        let error = try #require(await failure { try await client.get("/a") })
        #expect(Shown.texts(error).allSatisfy { !$0.contains(Self.value) })
        #expect(error.response?.body.array.isEmpty == false)
    }

    @Test func aRecordingThatMasksWhatTheServerRepeatsIsReplayed() async throws {
        let tape = CassetteRecorder()
        let stub = StubTransport { request in
            .json(#"{"text":"hello \#(request.headers[.authorization] ?? "")"}"#, headers: [HTTPField.Name("X-Seen")!: request.headers[.authorization] ?? ""])
        }
        func text(_ transport: TransportFactory, token: String) async throws -> JSON {
            try await Client(transport: transport, services: [Service("s", host: "https://s.example")]) { $0.authenticator = .bearer(token) }
                .get("/a", ["page": 1], as: JSON.self)
        }
        #expect(try await text(.recording(.stub(stub), on: tape), token: Self.value)["text"].string == "hello Bearer \(Self.value)")
        #expect(try !String(decoding: tape.cassette.har, as: UTF8.self).contains(Self.value))
        let player = CassettePlayer(tape.cassette)
        #expect(try await text(.replaying(player), token: "another-0one")["text"].string?.hasPrefix("hello ") == true)
        try player.checkPlayed()
    }

    @Test func aDescriptionOfJSONMasksAndItsBytesDoNot() throws {
        let text = #"{"name":"Ann","token":"\#(Self.value)","deep":[{"newPassword":"\#(Self.value)"}]}"#
        for json in [try JSONDocument(text).root, ["token": "\(Self.value)", "name": "Ann"] as JSON] {
            #expect(json.description.contains("Ann"))
            for shown in Shown.texts(json) { #expect(!shown.contains(Self.value), "\(shown)") }
            #expect(try String(decoding: json.bytes(), as: UTF8.self).contains(Self.value))
        }
        #expect("\(try JSONDocument(#"{"a":[1,2.50,"x/y"],"b":null}"#).root)" == #"{"a":[1,2.50,"x/y"],"b":null}"#)
    }

    @Test(arguments: [
        (#"{"token":"q7","a":1}"#, #"{"token":"‹masked›","a":1}"#), ("data: {\"token\":\"q7\"}\r\nx", "data: {\"token\":\"‹masked›\"}\r\nx"),
        (#"token=q7 {"a":1}"#, #"token=‹masked› {"a":1}"#), (#"{"a":1} is no {"b":2}"#, #"{"a":1} is no {"b":2}"#), ("a sentence", "a sentence"),
        (#"secret: {"a":1}"#, "secret: ‹masked›"),
    ])
    func textsWithDocumentsKeepTheirForm(text: String, masked: String) {
        #expect(Redactor.standard.text(text) == masked)
    }
}
