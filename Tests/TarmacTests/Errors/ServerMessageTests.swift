#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// The sentence that a server sends for the user of the app.
@Suite("The server's message", .timeLimit(.minutes(5)))
struct ServerMessageTests {
    private static func error(
        _ body: String, type: String = "application/json", status: HTTPResponse.Status = .badRequest, _ envelope: Envelope? = nil
    ) async throws -> TarmacError {
        let client = Client(StubTransport { _ in .bytes(Bytes(body), contentType: type, status: status) }) { $0.envelope = envelope }
        return try #require(await failure { _ = try await client.post("/login", ["password": "opensesame123"], as: Number.self) })
    }

    @Test(arguments: [
        (#"{"message":"Sold out."}"#, "Sold out."), (#"{"msg":"库存不足"}"#, "库存不足"), (#"{"detail":"Sold out."}"#, "Sold out."),
        (#"{"error":{"code":7,"message":"Sold out."}}"#, "Sold out."),
        (#"{"error":"invalid_grant","error_description":"Wrong name or password."}"#, "Wrong name or password."),
        (#"{"errors":[{"message":"Sold out."},{"message":"Late."}]}"#, "Sold out."), (#"{"errors":[{"detail":"Sold out."}]}"#, "Sold out."),
        (#"{"errors":["Sold out."]}"#, "Sold out."), (#"{"message":" ","detail":"Sold out."}"#, "Sold out."),
        (#"{"message":"<b>Sold</b> out","detail":"Sold out."}"#, "Sold out."), (#"{"message":{"en":"x"},"detail":"Sold out."}"#, "Sold out."),
    ])
    func isFoundWhereServersPutIt(body: String, message: String) async throws {
        let error = try await Self.error(body)
        #expect(error.serverMessage == message)
        for language in UserMessageLanguage.allCases { #expect(error.userMessage(in: language) == message) }
    }

    /// A path of the service comes first, and reaches into arrays.
    @Test(arguments: [
        ("errors[0].text", #"{"message":"E17","errors":[{"text":"Sold out."}]}"#), ("[1].text", #"[{"text":"a"},{"text":"Sold out."}]"#),
        ("a.b[1][0].c", #"{"a":{"b":[[],[{"c":"Sold out."}]]}}"#), ("a[x]", #"{"a[x]":"Sold out."}"#),
        ("nowhere[9].text", #"{"message":"Sold out."}"#),
    ])
    func isFoundWhereTheServiceSays(path: String, body: String) async throws {
        #expect(try await Self.error(body, Envelope(message: path)).userMessage == "Sold out.")
        let strict = Envelope(success: { !$0["ok"].isMissing }, message: path)
        #expect(try await Self.error(body, status: .ok, strict).userMessage == "Sold out.")
    }

    @Test func anEnvelopeWithoutAConditionLeavesTheStatusToDecide() async throws {
        let client = Client(StubTransport { _ in .json(#"{"data":[{"n":1}]}"#) }) { $0.envelope = Envelope(message: "text", payload: "data[0]") }
        #expect(try await client.get("/", as: Number.self) == Number(n: 1))
        #expect("\(Envelope(payload: "data[0]"))" == "payload data[0]" && "\(Envelope(message: "text"))" == "none")
        let text = Client(StubTransport { _ in .text("no JSON") }) { $0.envelope = Envelope(message: "text") }
        try await text.get("/")
    }

    @Test(
        arguments: [
            ("", nil), (" \n\t", nil), ("<p>Sold out", nil), ("a <!-- x -->", nil), ("</div>", nil), ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("Sold\r\n\r\n  out.\u{0}\u{7}", "Sold out."), ("Sold \u{202E}out.", "Sold out."), ("\u{FEFF}Sold out.", "Sold out."),
            ("👨‍👩‍👧 sold out", "👨‍👩‍👧 sold out"),
        ] as [(String, String?)])
    func isOneLineWithoutMarkup(text: String, shown: String?) async throws {
        let error = try await Self.error(try #require(String(data: JSONEncoder().encode(["message": text]), encoding: .utf8)))
        #expect(error.serverMessage == shown)
    }

    @Test func isBounded() async throws {
        let error = try await Self.error(#"{"message":"\#(String(repeating: "long ", count: 20_000))"}"#)
        #expect(error.serverMessage?.count == 500 && error.serverMessage?.hasSuffix("…") == true)
        // A character of many scalars is long too.
        let stacked = try await Self.error(#"{"message":"a\#(String(repeating: "\u{301}", count: 20_000))"}"#)
        #expect(stacked.serverMessage.map { $0.unicodeScalars.count < 2_000 } == true)
    }

    @Test func repeatsNoSecretOfTheCall() async throws {
        let error = try await Self.error(#"{"message":"the password opensesame123 is wrong"}"#)
        #expect(error.serverMessage?.contains("opensesame123") == false && error.serverMessage?.hasSuffix("is wrong") == true)
    }

    @Test func isOfJSONOnly() async throws {
        #expect(try await Self.error("Sold out.", type: "text/plain").serverMessage == nil)
        #expect(try await Self.error(#"{"message":"Sold out."}"#, type: "text/html").serverMessage == nil)
    }

    // MARK: No data

    /// QSP-12: where the answer has no value, the user reads that there is none.
    @Test(arguments: [("null", nil), ("", nil), (#"{"data":null}"#, "data")] as [(String, String?)])
    func anAnswerWithoutAValueSaysSo(body: String, payload: String?) async throws {
        let envelope = payload.map { Envelope(payload: $0) }
        let error = try await Self.error(body, status: .ok, envelope)
        #expect(error.userMessage(in: .english) == "There is no data." && error.userMessage(in: .simplifiedChinese) == "没有数据。")
    }

    /// A member that is missing is a fault of the answer, and `null` a value that may be expected.
    @Test func aNullIsNotAMissingValue() async throws {
        let envelope = Envelope(payload: "data")
        let missing = try await Self.error("{}", status: .ok, envelope)
        #expect(missing.code == .decodingFailed && missing.reason.contains("no payload") && missing.userMessage(in: .english) != "There is no data.")
        let inside = try await Self.error(#"{"data":{"n":null}}"#, status: .ok, envelope)
        #expect(inside.path == "$.data.n" && inside.userMessage(in: .english) != "There is no data.")
        let client = Client(StubTransport { _ in .json(#"{"data":null}"#) }) { $0.envelope = envelope }
        #expect(try await client.get("/", as: Number?.self) == nil)
        #expect(try await client.get("/", as: JSON.self).isNull)
        let without = Client(StubTransport { _ in .json("{}") }) { $0.envelope = envelope }
        #expect(await failure { _ = try await without.get("/", as: Number?.self) }?.code == .decodingFailed)
    }
}
