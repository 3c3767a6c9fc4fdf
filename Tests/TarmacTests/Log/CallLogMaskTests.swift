import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog
import TarmacHAR

/// Law 9 for the log: secrets planted in more than 200 places, and none in anything that the log gives.
@Suite("Call log, masked", .timeLimit(.minutes(5)))
struct CallLogMaskTests {
    private static let names = [
        "password", "passwd", "pwd", "secret", "client_secret", "token", "access_token", "refreshToken", "id_token", "api_key", "apiKey", "auth",
        "authorization", "session", "sessionid", "sid", "pin", "otp", "cvv", "private_key", "csrf_token", "signature", "sig", "credential", "passphrase",
        "user_password", "X-Amz-Security-Token", "reset_code", "new_password", "bearer",
    ]
    private static let fields = [
        "Authorization", "Proxy-Authorization", "X-API-Key", "X-Auth-Token", "X-CSRF-Token", "X-Access-Token", "X-Session-Id", "Api-Key", "X-Secret",
        "X-Password",
        "X-Refresh-Token", "X-Amz-Security-Token", "X-Vault-Token", "X-Client-Secret", "X-Signature",
    ]

    /// Numbers the secrets, so that a leak says where it was planted.
    private final class Planter: Sendable {
        private let planted = Watched<[String]>([])
        var all: [String] { planted.value }

        func plant(_ place: String) -> String {
            planted.update { planted in
                planted.append("zq\(planted.count)x7Kp\(place.filter { $0.isLetter && $0.isASCII }.prefix(12))Vw3")
                return planted[planted.count - 1]
            }
        }
    }

    /// What the log gives of one call, in every form.
    private static func outputs(of log: CallLog) throws -> [(String, String)] {
        var dumped = ""
        dump(log.entries, to: &dumped)
        dump(log, to: &dumped)
        dump(log.har(), to: &dumped)
        let entries = log.entries
        return [
            ("dump", dumped), ("description", "\(log) \(entries) \(entries.map { String(reflecting: $0) })"),
            ("json", entries.map { String(decoding: $0.json, as: UTF8.self) }.joined()), ("har", String(decoding: log.har().bytes.array, as: UTF8.self)),
            ("curl", entries.compactMap(\.curl).joined()), ("attempts", "\(entries.flatMap(\.attempts)) \(entries.map(\.events))"),
            ("failures", "\(entries.compactMap(\.failure)) \(entries.compactMap(\.response)) \(entries.compactMap(\.request))"),
        ]
    }

    private static func check(_ log: CallLog, _ planter: Planter, holds places: Int, sees: String, in file: String? = nil) throws {
        var outputs = try outputs(of: log)
        if let file { outputs.append(("record", try String(contentsOfFile: file, encoding: .utf8))) }
        #expect(planter.all.count >= places)
        for (name, text) in outputs {
            for secret in planter.all where text.contains(secret) { Issue.record("\(name) shows \(secret)") }
        }
        #expect(outputs.contains { $0.1.contains(sees) }, "nothing of the call is shown")
    }

    @Test(arguments: ["json", "form", "xml"]) func nothingPlantedIsShown(kind: String) async throws {
        let planter = Planter(), file = NSTemporaryDirectory() + "call-log-\(UInt64.random(in: .min ... .max)).jsonl"
        defer { for path in [file, file + ".old"] { try? FileManager.default.removeItem(atPath: path) } }
        let log = CallLog(bodies: .first(.kib(64)), recordingTo: file)
        var headers: HTTPFields = [:]
        for field in Self.fields {
            guard let name = HTTPField.Name(field) else { continue }
            headers.append(HTTPField(name: name, value: (field == "Authorization" ? "Bearer " : "") + planter.plant("header \(field)")))
        }
        headers.append(HTTPField(name: .cookie, value: (0..<10).map { "c\($0)=\(planter.plant("cookie"))" }.joined(separator: "; ")))
        let query = Self.names.map { "\($0)=\(planter.plant("query \($0)"))" }.joined(separator: "&")
        let body = Self.body(kind, planter, "request"), response = Self.body(kind, planter, "response")
        var answer: HTTPFields = [.contentType: body.type]
        for number in 0..<10 {
            answer.append(HTTPField(name: .setCookie, value: "s\(number)=\(planter.plant("set-cookie")); Path=/; x=\(planter.plant("attribute"))"))
        }
        answer.append(HTTPField(name: .location, value: "https://cdn.example.com/?token=\(planter.plant("location"))"))
        answer.append(HTTPField(name: .init("X-Echo")!, value: "seen \(planter.all[0].dropFirst(0))"))
        let replies = answer
        let stub = StubTransport { request in
            request.url.path == "/fail"
                ? .json(#"{"message":"no \#(request.url.query ?? "")"}"#, status: .badRequest)
                : .bytes(Bytes(response.text), contentType: nil, headers: replies)
        }
        let client = Client(transport: .stub(stub), services: [.logged]) { $0.log = log }
        for path in ["ok", "fail"] {
            let request = try Request(
                .post, "https://api.example.com/\(path)?\(query)&page=7", headers: headers, body: .text(body.text, contentType: body.type))
            _ = try await client.send(raw: request)
        }
        await log.flush()
        try Self.check(log, planter, holds: 130, sees: "page=7", in: file)
        #expect(try HAR(parsing: log.har().bytes).entries == log.entries)
        await client.shutdown()
    }

    private static func body(_ kind: String, _ planter: Planter, _ place: String) -> (text: String, type: String) {
        let pairs = names.map { ($0, planter.plant("\(place) \($0)")) }
        switch kind {
        case "json":
            let members = pairs.map { #""\#($0)":"\#($1)""# }.joined(separator: ",")
            return (#"{"page":7,\#(members),"nested":{"deep":[{"password":"\#(planter.plant(place + "deep"))"}]}}"#, "application/json")
        case "form": return (pairs.map { "\($0)=\($1)" }.joined(separator: "&") + "&page=7", "application/x-www-form-urlencoded")
        default: return ("<call><page>7</page>" + pairs.map { "<\($0)>\($1)</\($0)>" }.joined() + "</call>", "application/xml")
        }
    }

    /// What a transport says in its error, and what a server repeats, has none of the secrets of the call.
    @Test func errorsAndRepetitionsAreMasked() async throws {
        let planter = Planter(), log = CallLog(bodies: .first(.kib(64)))
        let token = planter.plant("query"), key = planter.plant("header"), word = planter.plant("body")
        let client = Client(
            transport: .stub { request in
                if request.url.path == "/down" { throw TarmacError(.connectionLost, phase: .receiving, "lost \(request.url.string) with \(key)") }
                return .text("got \(token), \(key.utf8.map { "%" + String($0, radix: 16) }.joined()) and \(word)")
            }, services: [.logged]
        ) { ($0.log, $0.headers["X-API-Key"]) = (log, key) }
        for path in ["/down", "/repeat"] {
            _ = try? await client.send(.post(path, ["token": token, "password": word], as: String.self))
        }
        try Self.check(log, planter, holds: 3, sees: "connectionLost")
        #expect(log.entries.last?.response?.body?.text?.contains("got ‹masked›") == true)
        await client.shutdown()
    }

    @Test func marksOfTheCallAndOfItsParametersCount() async throws {
        let planter = Planter(), log = CallLog(bodies: .first(.kib(64)))
        let size = planter.plant("own"), path = planter.plant("path")
        let client = Client(transport: .stub { .text("\($0.url.path) \($0.url.query ?? "")") }, services: [.logged]) {
            ($0.log, $0.secretNames) = (log, ["shoe_size"])
        }
        _ = try await client.send(.get("/reset/{token}", ["token": path, "shoe_size": size], as: String.self))
        try Self.check(log, planter, holds: 2, sees: "/reset/")
        await client.shutdown()
    }

    @Test func theCutOffEndOfABodyIsNotShown() async throws {
        let planter = Planter(), secret = planter.plant("end") + String(repeating: "a", count: 600), log = CallLog(bodies: .first(.bytes(2_000)))
        for cut in [10, 40, 64, 200] {
            let text = String(repeating: "word ", count: (2_000 - cut) / 5) + secret
            let client = Client(transport: .stub { _ in .text(text) }, services: [.logged]) { ($0.log, $0.headers["X-API-Key"]) = (log, secret) }
            try await client.get("/cut")
            let shown = try #require(log.entries.last?.response?.body?.text)
            #expect(shown.hasSuffix("…") && shown.contains("word") && !shown.contains(secret.prefix(8)))
            await client.shutdown()
        }
    }

    @Test func bytesThatAreNoTextAreNotShownAndImagesAre() async throws {
        let log = CallLog(bodies: .first(.kib(64))), image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]
        for (type, bytes, isShown) in [
            ("image/png", image, true), ("image/png", Array("secret".utf8), false), ("application/octet-stream", image, false),
            ("application/octet-stream", Array("secret".utf8), false), ("text/plain", [0xFF, 0xFE, 0x41], false),
        ] {
            let client = Client(transport: .stub { _ in .bytes(Bytes(bytes), contentType: type) }, services: [.logged]) { $0.log = log }
            try await client.get("/bytes")
            let body = try #require(log.entries.last?.response?.body)
            #expect(body.text == nil && (body.base64 != nil) == isShown && body.size == Int64(bytes.count), "\(type)")
            await client.shutdown()
        }
    }
}
