import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Law 3: validation is on by default", .timeLimit(.minutes(5)))
struct Law3Tests {
    struct User: Codable, Equatable, Sendable {
        var id: Int
        var tags: [Tag] = []
        struct Tag: Codable, Equatable, Sendable { var name: String }
    }

    private static let shop = Envelope(
        success: { $0["status"] == 1 }, code: "code", message: "message", payload: "result.data")

    private func client(_ response: Response, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(StubTransport { _ in response }, configure: configure)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: Response
        let code: TarmacError.Code
        var path: String?
        var envelope = Envelope.off
    }

    static let rows = [
        Row(testDescription: "status 404", response: .json("{}", status: .notFound), code: .unacceptableStatus),
        Row(testDescription: "status 304", response: .status(.notModified), code: .unacceptableStatus),
        Row(testDescription: "text/html", response: html(#"{"id":1}"#), code: .unacceptableContentType),
        Row(testDescription: "not JSON", response: .json("{"), code: .malformedJSON),
        Row(testDescription: "empty", response: .json(""), code: .malformedJSON),
        Row(testDescription: "wrong type", response: .json(#"{"id":"x"}"#), code: .decodingFailed, path: "$.id"),
        Row(testDescription: "missing", response: .json(#"{"tags":[]}"#), code: .decodingFailed, path: "$.id"),
        Row(
            testDescription: "deep", response: .json(#"{"id":1,"tags":[{"name":"a"},{"name":null}]}"#), code: .decodingFailed,
            path: "$.tags[1].name"),
        Row(
            testDescription: "envelope says no", response: .json(#"{"status":0,"code":40301}"#), code: .envelopeFailure, path: "$.code",
            envelope: shop),
        Row(
            testDescription: "envelope without payload", response: .json(#"{"status":1,"result":{}}"#), code: .decodingFailed,
            path: "$.result.data", envelope: shop),
        Row(
            testDescription: "payload that does not fit", response: .json(#"{"status":1,"result":{"data":{"id":"x"}}}"#),
            code: .decodingFailed, path: "$.result.data.id", envelope: shop),
    ]

    private static func html(_ text: String) -> Response { .bytes(Bytes(text), contentType: "text/html; charset=utf-8") }

    @Test(arguments: rows)
    func eachFailureHasItsOwnCodeAndPath(row: Row) async throws {
        let error = await failure { _ = try await client(row.response) { $0.envelope = row.envelope }.get("/", as: User.self) }
        #expect(error?.code == row.code)
        #expect(error?.path == row.path)
        #expect(error?.status == row.response.status)
    }

    @Test func anEnvelopeIsOpenedAtItsPayload() async throws {
        let client = client(.json(#"{"status":1,"result":{"data":{"id":1,"tags":[]}}}"#)) { $0.envelope = Self.shop }
        #expect(try await client.get("/", as: User.self) == User(id: 1))
        #expect(try await client.get("/", as: JSON.self)["id"] == 1)
    }

    @Test func jsonSentAsHTMLPassesOnlyWhereConfigured() async throws {
        let response = Self.html(#"{"id":1,"tags":[]}"#)
        #expect(await failure { _ = try await client(response).get("/", as: User.self) }?.code == .unacceptableContentType)
        for types in [AcceptableContentTypes.lenientJSON, .any, .only("text/html")] {
            #expect(try await client(response) { $0.acceptableContentTypes = types }.get("/", as: User.self).id == 1)
        }
    }

    @Test(arguments: ["application/json", "text/json", "application/vnd.shop+json", "APPLICATION/JSON; charset=utf-8"])
    func jsonUnderItsOwnNamesPasses(type: String) async throws {
        let response = Response.bytes(Bytes(#"{"id":1,"tags":[]}"#), contentType: type)
        #expect(try await client(response).get("/", as: User.self).id == 1)
    }

    @Test func whatIsNoJSONSkipsTheEnvelope() async throws {
        let client = client(.text("plain")) { $0.envelope = Self.shop }
        #expect(try await client.get("/", as: String.self) == "plain")
        #expect(try await client.get("/", as: Data.self).count == 5)
        try await client.get("/")
    }

    @Test func aCallThatLandsAsNothingIsStillJudgedByTheEnvelope() async throws {
        let error = await failure { try await client(.json(#"{"status":0,"code":7}"#)) { $0.envelope = Self.shop }.get("/") }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.serverCode == "7")
    }

    @Test func textAndBytesAreJudgedByTheEnvelopeIfTheyHaveACode() async throws {
        let refused = client(.json(#"{"status":0,"code":40301,"message":"Sold out."}"#)) { $0.envelope = Self.shop }
        for error in [
            await failure { _ = try await refused.get("/", as: String.self) }, await failure { _ = try await refused.get("/", as: Data.self) },
        ] {
            #expect(error?.code == .envelopeFailure && error?.serverCode == "40301" && error?.userMessage == "Sold out.")
        }
        // A request made by hand is judged by its caller.
        #expect(try await refused.send(raw: Request(.get, HTTPURL("https://s.example/"))).status == .ok)
        let whole = #"{"status":1,"code":0,"result":{}}"#
        #expect(try await client(.json(whole)) { $0.envelope = Self.shop }.get("/", as: String.self) == whole)
    }

    @Test(arguments: [Verb.send, .sendNothing, .landed, .get, .post, .stream, .download])
    func everyVerbJudgesTheStatus(verb: Verb) async throws {
        #expect(await failure("\(verb)") { try await verb.fly(client(.status(.badGateway))) }?.code == .unacceptableStatus)
    }

    @Test func aRawCallTakesAnyStatusUnlessToldOtherwise() async throws {
        let request = Request(.get, try HTTPURL("https://s.example/"))
        #expect(try await client(.status(.badGateway)).send(raw: request).status == .badGateway)
        let error = await failure { _ = try await client(.status(.badGateway)).send(raw: request) { $0.acceptableStatus = .success } }
        #expect(error?.code == .unacceptableStatus)
    }

    // MARK: What interceptors answer and change is judged as well

    @Test func anAnswerOfAnInterceptorIsJudged() async throws {
        for ring in [\Options.interceptors, \.attemptInterceptors] {
            let answering = Intercepting { _, _ in .json(#"{"id":1,"tags":[]}"#, status: .notFound) }
            let error = await failure { _ = try await client(.status(.ok)) { $0[keyPath: ring] = [answering] }.get("/", as: User.self) }
            #expect(error?.code == .unacceptableStatus)
        }
    }

    @Test func aResponseAnInterceptorChangedIsJudgedAsItIsNow() async throws {
        let replacing = Intercepting { request, chain in
            var response = try await chain.proceed(request)
            response.status = .ok
            response.body = .bytes(Bytes(#"{"id":2,"tags":[]}"#))
            return response
        }
        let client = client(.json(#"{"id":1,"tags":[]}"#, status: .notFound)) { $0.interceptors = [replacing] }
        #expect(try await client.get("/", as: User.self).id == 2)
    }

    @Test func aStreamAnInterceptorAnswersWithIsCollectedForABufferedCall() async throws {
        let answering = Intercepting { _, _ in .chunks([#"{"id":1,"#, #""tags":[]}"#], headers: [.contentType: "application/json"]) }
        #expect(try await client(.status(.ok)) { $0.interceptors = [answering] }.get("/", as: User.self).id == 1)
    }
}
