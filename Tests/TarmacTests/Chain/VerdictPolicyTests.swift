import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

/// One judgement for each row: what the policy asks, what the answer is, what comes out.
@Suite("Verdicts")
struct VerdictPolicyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: Response
        /// `nil` for a success.
        var code: TarmacError.Code?
        var status = AcceptableStatus.success
        var types = AcceptableContentTypes.automatic
        var envelope = Envelope.off
        var shape = Shape.any
        var readsJSON = true
        var needsJSON = true
        var ignoresBody = false
        var isStreamed = false
        var checksEnvelope = true
        var request: HTTPFields = [:]
        var path: String?
        var serverCode: String?
        var message: String?
        /// Whether the body was parsed on the way.
        var isParsed = true

        var policy: VerdictPolicy {
            VerdictPolicy(
                status: status, contentTypes: types, envelope: envelope, shape: shape, readsJSON: readsJSON, needsJSON: needsJSON,
                ignoresBody: ignoresBody, documentOptions: .init(), isStreamed: isStreamed, checksEnvelope: checksEnvelope,
                requestFields: request)
        }
    }

    private static let envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    private static let problem = #"{"type":"urn:full","title":"Full","detail":"no room","code":7,"message":"voll"}"#

    private static func typed(_ type: String?, _ text: String, _ status: HTTPResponse.Status = .ok) -> Response {
        .bytes(Bytes(text), contentType: type, status: status)
    }

    static let statuses = [
        Row(testDescription: "200", response: .json("{}")),
        Row(testDescription: "404", response: .json(#"{"code":7}"#, status: .notFound), code: .unacceptableStatus),
        Row(testDescription: "404, any is acceptable", response: .json("{}", status: .notFound), status: .any),
        Row(testDescription: "200, only 201 is", response: .json("{}"), code: .unacceptableStatus, status: .init([201])),
        Row(testDescription: "304", response: .status(.notModified), code: .unacceptableStatus, isParsed: false),
        Row(testDescription: "500 of broken JSON", response: .json("{", status: .internalServerError), code: .unacceptableStatus, isParsed: false),
        Row(testDescription: "500 of HTML", response: typed("text/html", "<p>", .internalServerError), code: .unacceptableStatus, isParsed: false),
        Row(
            testDescription: "500 with the envelope's words", response: .json(problem, status: .internalServerError),
            code: .unacceptableStatus, envelope: envelope, serverCode: "7", message: "voll"),
        Row(
            testDescription: "503 with problem details", response: typed("application/problem+json", problem, .serviceUnavailable),
            code: .unacceptableStatus, serverCode: "urn:full", message: "no room"),
        Row(
            testDescription: "503 with problem details in plain JSON", response: .json(problem, status: .serviceUnavailable),
            code: .unacceptableStatus, message: "voll"),
    ]

    private static let part = Response.json("{}", status: .partialContent)

    /// A part is a success where one was asked for, or where the caller says so by name.
    static let parts = [
        Row(testDescription: "206 nobody asked for", response: part, code: .unacceptableStatus, isParsed: false),
        Row(testDescription: "206 nobody asked for, in a span", response: part, code: .unacceptableStatus, status: .init(200...399), isParsed: false),
        Row(testDescription: "206 to a Range", response: part, request: [.range: "bytes=0-1"]),
        Row(testDescription: "206 to a Range, only 200 is", response: part, code: .unacceptableStatus, status: .init([200]), request: [.range: "bytes=0-1"]),
        Row(testDescription: "206 that is listed", response: part, status: .init([200, 206])),
        Row(testDescription: "206 alone is", response: part, status: .init(206...206)),
        Row(testDescription: "206, any is acceptable", response: part, status: .any),
        Row(testDescription: "206 of a stream", response: part, code: .unacceptableStatus, isStreamed: true, isParsed: false),
        Row(testDescription: "206 of a stream to a Range", response: part, isStreamed: true, request: [.range: "bytes=0-1"], isParsed: false),
        Row(testDescription: "206 of a stream, any is acceptable", response: part, status: .any, isStreamed: true, isParsed: false),
    ]

    static let types = [
        Row(testDescription: "text/html for JSON", response: typed("text/html", "{}"), code: .unacceptableContentType, isParsed: false),
        Row(testDescription: "text/html, lenient", response: typed("text/html", "{}"), types: .lenientJSON),
        Row(testDescription: "no type for JSON", response: typed(nil, "{}")),
        Row(
            testDescription: "no type, one alone acceptable", response: typed(nil, "{}"), code: .unacceptableContentType,
            types: .only("application/json"), isParsed: false),
        Row(testDescription: "vendor's JSON", response: typed("application/vnd.a+json", "{}")),
        Row(testDescription: "anything for no JSON", response: typed("image/png", "x"), needsJSON: false, isParsed: false),
        Row(
            testDescription: "one alone, for no JSON", response: typed("image/png", "x"), code: .unacceptableContentType, types: .only("text/plain"),
            needsJSON: false, isParsed: false),
        Row(testDescription: "one alone, empty", response: typed("image/png", ""), types: .only("text/plain"), needsJSON: false, isParsed: false),
        Row(
            testDescription: "one alone, body ignored", response: typed("image/png", "x"), types: .only("text/plain"), needsJSON: false,
            ignoresBody: true, isParsed: false),
    ]

    static let bodies = [
        Row(testDescription: "not JSON", response: .json("{"), code: .malformedJSON, isParsed: false),
        Row(testDescription: "empty", response: .json(""), code: .malformedJSON, isParsed: false),
        Row(testDescription: "not JSON, another decoder", response: .json("{"), readsJSON: false, isParsed: false),
        Row(testDescription: "envelope's success", response: .json(#"{"status":1,"data":3}"#), envelope: envelope),
        Row(
            testDescription: "envelope's failure", response: .json(#"{"status":0,"code":7,"message":"full"}"#), code: .envelopeFailure,
            envelope: envelope, path: "$.code", serverCode: "7", message: "full"),
        Row(
            testDescription: "envelope's failure, a blank message", response: .json(#"{"status":0,"code":7,"message":" "}"#), code: .envelopeFailure,
            envelope: envelope, path: "$.code", serverCode: "7"),
        Row(
            testDescription: "problem with a blank detail",
            response: typed("application/problem+json", #"{"type":"t","detail":""}"#, .notFound), code: .unacceptableStatus, serverCode: "t"),
        Row(
            testDescription: "problem with a title and a blank detail",
            response: typed("application/problem+json", #"{"title":"not there","detail":" "}"#, .notFound), code: .unacceptableStatus,
            message: "not there"),
        Row(
            testDescription: "envelope's failure, another decoder", response: .json(#"{"status":0,"code":"a"}"#), code: .envelopeFailure,
            envelope: envelope, readsJSON: false, path: "$.code", serverCode: "a"),
        Row(
            testDescription: "envelope's failure, body ignored", response: .json(#"{"status":0}"#), code: .envelopeFailure,
            envelope: envelope, needsJSON: false, ignoresBody: true, path: "$.code"),
        Row(
            testDescription: "envelope, no JSON, body ignored", response: .text("fine"), envelope: envelope, needsJSON: false, ignoresBody: true,
            isParsed: false),
        Row(
            testDescription: "envelope, nothing came, body ignored", response: .json(""), envelope: envelope, needsJSON: false, ignoresBody: true,
            isParsed: false),
        Row(
            testDescription: "envelope's failure that is called text, body ignored", response: typed("text/html", #"{"status":0,"code":7}"#),
            code: .envelopeFailure, envelope: envelope, needsJSON: false, ignoresBody: true, path: "$.code", serverCode: "7", isParsed: false),
        Row(
            testDescription: "envelope's failure of no type, body ignored", response: typed(nil, #"{"status":0}"#), code: .envelopeFailure,
            envelope: envelope, needsJSON: false, ignoresBody: true, path: "$.code", isParsed: false),
        Row(
            testDescription: "envelope's success that is called text, body ignored", response: typed("text/html", #"{"status":1}"#),
            envelope: envelope, needsJSON: false, ignoresBody: true, isParsed: false),
        Row(
            testDescription: "a list that is called text, body ignored", response: typed("text/html", "[]"), envelope: envelope,
            needsJSON: false, ignoresBody: true, isParsed: false),
        Row(testDescription: "envelope, landing as data", response: .json(#"{"status":0}"#), envelope: envelope, needsJSON: false, isParsed: false),
        Row(
            testDescription: "envelope's failure with a code, landing as data", response: .json(#"{"status":0,"code":"A0230","message":"full"}"#),
            code: .envelopeFailure, envelope: envelope, needsJSON: false, path: "$.code", serverCode: "A0230", message: "full", isParsed: false),
        Row(
            testDescription: "envelope's success with a code, landing as data", response: .json(#"{"status":1,"code":0}"#), envelope: envelope,
            needsJSON: false, isParsed: false),
        Row(
            testDescription: "a code that is called text, landing as data", response: typed("text/plain", #"{"status":0,"code":7}"#),
            envelope: envelope, needsJSON: false, isParsed: false),
        Row(testDescription: "a list, landing as data", response: .json(#"[{"code":7}]"#), envelope: envelope, needsJSON: false, isParsed: false),
        Row(testDescription: "not JSON, landing as data", response: .json("{"), envelope: envelope, needsJSON: false, isParsed: false),
        Row(testDescription: "nothing came, landing as data", response: .json(""), envelope: envelope, needsJSON: false, isParsed: false),
        Row(
            testDescription: "envelope's failure with a code, of a request made by hand", response: .json(#"{"status":0,"code":7}"#),
            envelope: envelope, needsJSON: false, checksEnvelope: false, isParsed: false),
        Row(
            testDescription: "envelope's failure with a code, of a stream", response: .json(#"{"status":0,"code":7}"#), envelope: envelope,
            needsJSON: false, isStreamed: true, isParsed: false),
        Row(testDescription: "shape that fits", response: .json(#"{"id":1}"#), shape: ["id": .integer]),
        Row(testDescription: "shape that does not", response: .json(#"{"id":"x"}"#), code: .shapeMismatch, shape: ["id": .integer], path: "$.id"),
        Row(
            testDescription: "shape of the payload", response: .json(#"{"status":1,"data":{"id":"x"}}"#), code: .shapeMismatch,
            envelope: envelope, shape: ["id": .integer], path: "$.data.id"),
        Row(
            testDescription: "shape, and no payload", response: .json(#"{"status":1}"#), code: .decodingFailed, envelope: envelope,
            shape: ["id": .integer], path: "$.data"),
        Row(
            testDescription: "the envelope before the shape", response: .json(#"{"status":0,"data":{"id":"x"}}"#), code: .envelopeFailure,
            envelope: envelope, shape: ["id": .integer], path: "$.code"),
        Row(testDescription: "shape, landing as data", response: .json(#"{"id":"x"}"#), shape: ["id": .integer], needsJSON: false, isParsed: false),
        Row(testDescription: "a stream", response: .chunks(["{"], headers: [.contentType: "application/json"]), isParsed: false),
    ]

    // YTK-16, QSP-29: by default 200 to 299 without a 206 that no Range asked for, and what a layer lists; a 206 that a list names or under any
    // status is a success.
    @Test(arguments: [statuses, parts, types, bodies].flatMap { $0 })
    func anAnswerIsJudged(row: Row) throws {
        let judged = row.policy.judge(row.response)
        let error = judged.verdict?.error
        #expect(judged.verdict != nil)
        #expect(error?.code == row.code, "\(error.map { "\($0)" } ?? "")")
        #expect(error?.path == row.path)
        #expect(error?.serverCode == row.serverCode)
        #expect(error?.serverMessage == row.message)
        #expect((judged.document != nil) == row.isParsed)
        if let error { #expect(error.status == row.response.status) }
    }

    // YTK-16: a 206 that no Range asked for is a failure, unless a list names 206 or any status is taken (as by a request made by
    // hand), also of what is read as a stream.
    @Test func whatCutsAnAnswerOnTheWayIsFound() async throws {
        let stub = StubTransport { request in
            let isCut = request.url.path == "/cut" || request.headers.contains(.range)
            return .text("part", status: isCut ? .partialContent : .ok, headers: isCut ? [.contentRange: "bytes 0-3/9"] : [:])
        }
        let client = Client(stub)
        let error = await failure { _ = try await client.get("/cut", as: String.self) }
        #expect(error?.code == .unacceptableStatus && error?.status == .partialContent)
        #expect(error?.reason.contains("nobody had asked for a part") == true)
        #expect(try await client.get("/asked", as: String.self) { $0.headers = ["Range": "bytes=0-3"] } == "part")
        #expect(try await client.get("/cut", as: String.self) { $0.acceptableStatus = .init([200, 206]) } == "part")
        #expect(try await client.get("/cut", as: String.self) { $0.acceptableStatus = .any } == "part")
        #expect(try await client.send(raw: Request(.get, HTTPURL("https://s.example/cut"))).status == .partialContent)
        for error in [
            await failure { try await client.stream(.get("/cut", as: String.self)) { _ in } },
            await failure { for try await _ in client.lines(.get("/cut", as: String.self)) {} },
            await failure { for try await _ in client.records(.get("/cut"), of: JSON.self) {} },
        ] { #expect(error?.code == .unacceptableStatus && error?.status == .partialContent) }
        let asked = try await client.stream(.get("/asked", as: String.self), configure: { $0.headers = ["Range": "bytes=0-3"] }) { $0.status }
        #expect(asked == .partialContent)
    }
}
