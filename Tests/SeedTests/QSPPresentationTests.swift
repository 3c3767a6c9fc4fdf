import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacStreams
import TarmacTesting
import Testing

/// Keeps for whom each begin, end and prompt was, and the answers that came with prompts.
@MainActor
private final class HostBoard: Presenter {
    private(set) var lines: [String] = []
    private(set) var answers: [Bytes?] = []
    private weak var screen: Screen?
    init(_ screen: Screen) { self.screen = screen }

    private func name(_ host: AnyObject?) -> String { host.map { $0 === screen ? "screen" : "other" } ?? "app" }
    func loadingBegan(_ loading: Loading) { lines.append("began \(name(loading.host))") }
    func loadingEnded(_ loading: Loading) { lines.append("ended \(name(loading.host))") }
    func present(_ error: PresentedError) {
        lines.append("\(error.kind) \(name(error.host)): \(error.message(in: .english))")
        #expect(error.message == error.error.userMessage)
        answers.append(error.error.response?.body)
    }
}

@MainActor
@Suite("QSPNetworking: loading and errors", .timeLimit(.minutes(5)))
struct QSPPresentationTests {
    private let screen = Screen()
    private let stub = StubTransport { request in
        switch request.url.path {
        case "/v1/timeout": throw TarmacError(.timeout, "slow")
        case "/v1/down": throw TarmacError(.connectionRefused, phase: .connecting, "refused")
        case "/v1/nothing": .json("null")
        case "/v1/null": .json(" null\n")
        case "/v1/empty": .bytes(Bytes(""), contentType: "application/json")
        case "/v1/refused": .json(#"{"status":0,"message":"sold out"}"#)
        case "/v1/mute": .json(#"{"status":0}"#)
        default: .json(#"{"status":1,"data":{"id":7,"name":"ann"}}"#)
        }
    }

    private func client(_ board: some Presenter) -> Client {
        Client(stub) {
            $0.envelope = .status
            $0.presenter = board
        }
    }

    @discardableResult
    private func call(_ client: Client, _ path: String, configure: (inout Options) -> Void = { _ in }) async -> Result<User, any Error> {
        await landing { landed in client.start(.get(path, as: User.self), owner: screen, configure: configure) { landed($1) } }
    }

    // QSP-10, QSP-19, YTK-21: both ends of every request are told, on the screen that owns the call or the one that the call names.
    @Test func loadingBeginsAndEndsOnTheScreenOfTheCall() async {
        let (board, other) = (HostBoard(screen), Screen())
        let client = client(board)
        await call(client, "/users")
        await call(client, "/down") { $0.presentationHost = .object(other) }
        await call(client, "/users") { $0.presentationHost = .app }
        // An error is shown on the owner too, where the call names no screen.
        await call(client, "/down")
        #expect(
            board.lines == [
                "began screen", "ended screen", "began other", "ended other",
                "network other: Cannot reach the server. Please check your connection.", "began app", "ended app",
                "began screen", "ended screen", "network screen: Cannot reach the server. Please check your connection.",
            ])
    }

    // QSP-19: the screen of a call is held weakly.
    @Test func aPresentationKeepsNoScreenAlive() async throws {
        let board = HostBoard(screen)
        let client = client(board)
        var host: Screen? = Screen()
        weak let left = host
        stub.hold()
        let handle = client.start(.get("/down", as: User.self), owner: screen) {
            $0.presentationHost = .object(host!)
        } landed: { _, _ in
        }
        try await stub.received()
        host = nil
        #expect(left == nil)
        stub.release()
        await eventually { handle.hasLanded }
        #expect(board.lines.filter { $0.hasPrefix("network") }.isEmpty)
    }

    // QSP-11, QSP-36: an error of the network and an error in the data are two kinds, shown on the screen of the call; without a presenter
    // neither is.
    @Test func thereAreTwoKindsOfErrors() async {
        let board = HostBoard(screen)
        for path in ["/down", "/refused"] { await call(client(board), path) }
        #expect(board.lines.filter { $0.contains(":") }.map { $0.prefix { $0 != ":" } } == ["network screen", "data screen"])
        // The prompt has the error, and with it the answer.
        #expect(board.answers == [nil, Bytes(#"{"status":0,"message":"sold out"}"#)])
        let bare = Client(stub) { $0.envelope = .status }
        #expect(bare.explain(GetUser(id: 7))["presenter"]?.origin == .default)
        #expect(bare.explain(GetUser(id: 7))["presenter"]?.value == "none")
        #expect(await (call(bare, "/down").error as? TarmacError)?.code == .connectionRefused)
    }

    // QSP-12: a time limit, any other failure, no data in two forms, the server's message, and a text where it sends none.
    @Test(arguments: [
        ("/timeout", TarmacError.Code.timeout, "The server took too long to answer. Please try again."),
        ("/down", .connectionRefused, "Cannot reach the server. Please check your connection."),
        ("/nothing", .envelopeFailure, "This did not work. Please try again later."),
        ("/empty", .malformedJSON, "There is no data."), ("/refused", .envelopeFailure, "sold out"),
        ("/mute", .envelopeFailure, "This did not work. Please try again later."),
    ])
    func everyFailureHasAText(path: String, code: TarmacError.Code, text: String) async {
        let board = HostBoard(screen)
        let error = await call(client(board), path).error as? TarmacError
        #expect(error?.code == code)
        // The server's own words come first.
        if path == "/refused" { #expect(error?.userMessage == text) }
        #expect(board.lines.last?.hasSuffix(": \(text)") == true, "\(board.lines)")
        #expect(board.lines.count == 3)
    }

    // QSP-12: "no data" is told apart by the answer, which comes with the error.
    @Test(arguments: [("/nothing", true), ("/null", true), ("/empty", true), ("/mute", false)])
    func noDataIsToldByTheAnswer(path: String, isNothing: Bool) async throws {
        let error = try #require(await call(client(HostBoard(screen)), path).error as? TarmacError)
        let body = try #require(error.response?.body)
        #expect((body.isEmpty || (try? JSON(parsing: body))?.isNull == true) == isNothing)
    }

    // QSP-12: each kind of failure has a text, and the sentence of the process is one of them.
    @Test(arguments: [
        (TarmacError.Code.connectionFailed, "Cannot reach the server. Please check your connection."),
        (.untrustedCertificate, "A secure connection could not be made."),
        (.connectTimeout, "The server took too long to answer. Please try again."),
        (.truncatedBody, "The server sent an answer this app does not understand."),
        (.redirectRefused, "The server sent an answer this app does not understand."),
        (.decodingFailed, "The server sent an answer this app does not understand."),
        (.loggedOut, "You are not signed in. Please sign in and try again."), (.insufficientSpace, "There is not enough space left."),
        (.invalidURL, "This did not work. Please try again later."), (.callerFailed, "This did not work. Please try again later."),
    ])
    func everyKindHasAText(code: TarmacError.Code, text: String) {
        let error = TarmacError(code, "reason")
        #expect(error.userMessage(in: .english) == text)
        #expect([text, error.userMessage(in: .simplifiedChinese)].contains(error.userMessage))
    }

    // QSP-12: so has each status of a server that sends no words of its own.
    @Test(arguments: [
        (401, "You are not signed in. Please sign in and try again."), (403, "You are not allowed to do this."),
        (404, "This content does not exist."), (410, "This content does not exist."), (429, "Too many requests. Please try again later."),
        (500, "The server has a problem. Please try again later."), (400, "This did not work. Please try again later."),
    ])
    func everyStatusHasAText(status: Int, text: String) async {
        let silent = Client(StubTransport { _ in .status(HTTPResponse.Status(code: status)) })
        let error = await #expect(throws: TarmacError.self) { try await silent.get("/") }
        #expect(error?.userMessage(in: .english) == text)
        // Where it sends some, they come first.
        let speaking = Client(StubTransport { _ in .json(#"{"status":0,"message":"sold out"}"#, status: HTTPResponse.Status(code: status)) }) {
            $0.envelope = .status
        }
        let said = await #expect(throws: TarmacError.self) { try await speaking.get("/") }
        #expect(said?.code == .unacceptableStatus && said?.userMessage == "sold out")
    }

    // QSP-20, QSP-21, QSP-35: each is on unless a call says no.
    @Test func loadingAndErrorsAreSwitchedByTheCall() async {
        let board = HostBoard(screen)
        let client = client(board)
        await call(client, "/refused") { $0.presentsErrors = false }
        #expect(board.lines == ["began screen", "ended screen"])
        await call(client, "/refused") { $0.showsLoading = false }
        #expect(board.lines.dropFirst(2) == ["data screen: sold out"])
    }

    // QSP-22: a call may skip the condition of success; the answer is then a success as it is.
    @Test func aCallMaySkipTheConditionOfSuccess() async throws {
        struct Whole: Decodable, Sendable { var status: Int }
        let client = client(HostBoard(screen))
        let refused = await #expect(throws: TarmacError.self) { try await client.get("/refused", as: Whole.self) }
        #expect(refused?.code == .envelopeFailure)
        #expect(try await client.get("/refused", as: Whole.self) { $0.envelope = .off }.status == 0)
        // A failure of the network, or a status that is none, is a failure all the same.
        let down = await #expect(throws: TarmacError.self) { try await client.get("/down", as: Whole.self) { $0.envelope = .off } }
        #expect(down?.code == .connectionRefused)
        let broken = Client(StubTransport { _ in .json(#"{"status":1}"#, status: .internalServerError) }) { $0.envelope = .status }
        let error = await #expect(throws: TarmacError.self) { try await broken.get("/", as: Whole.self) { $0.envelope = .off } }
        #expect(error?.code == .unacceptableStatus)
    }

    // QSP-29: one condition for all answers, met or not; without one a success of the network is a success.
    @Test func aConditionOfSuccessIsTheClients() async throws {
        struct Whole: Decodable, Sendable { var status: Int }
        #expect(try await client(HostBoard(screen)).get("/users", as: User.self).id == 7)
        try await client(HostBoard(screen)).get("/users")
        for path in ["/refused", "/mute"] {
            let error = await #expect(throws: TarmacError.self) { try await client(HostBoard(screen)).get(path, as: User.self) }
            #expect(error?.code == .envelopeFailure)
            #expect(try await Client(stub).get(path, as: Whole.self).status == 0)
            // An answer that the call does not take is judged too; one that is taken as text only if it has a code.
            let untaken = await #expect(throws: TarmacError.self) { try await client(HostBoard(screen)).get(path) }
            #expect(untaken?.code == .envelopeFailure)
            #expect(try await client(HostBoard(screen)).get(path, as: String.self).contains("status"))
            #expect(try await client(HostBoard(screen)).get(path, as: Data.self).isEmpty == false)
            #expect(try await client(HostBoard(screen)).stream(.get(path)) { $0.status } == .ok)
        }
    }

    // QSP-29: where no value is taken and no body comes, there is nothing to judge, whatever type the answer states.
    @Test(arguments: [HTTPResponse.Status.ok, .noContent])
    func anAnswerWithoutABodyIsNotJudged(status: HTTPResponse.Status) async throws {
        let silent = Client(StubTransport { _ in .bytes(Bytes(""), contentType: "application/json", status: status) }) { $0.envelope = .status }
        try await silent.head("/users")
        try await silent.delete("/users")
        // Where a value is taken, it is missing.
        let error = await #expect(throws: TarmacError.self) { try await silent.get("/users", as: User.self) }
        #expect(error?.code == .malformedJSON)
    }

    // QSP-10, QSP-12, QSP-B5: neither leaving a screen nor cancelling shows anything; what began to load ends all the same.
    @Test func aCancelledCallShowsNoError() async throws {
        let board = Board()
        let client = client(board)
        stub.hold()
        var left: Screen? = Screen()
        let abandoned = client.start(.get("/down", as: User.self), owner: left!) { _, _ in Issue.record("it landed") }
        try await stub.received()
        left = nil
        await eventually { abandoned.hasLanded }
        let cancelled: Result<User, any Error> = await landing { done in
            client.start(.get("/down", as: User.self), owner: screen) { done($1) }.cancel()
        }
        #expect(cancelled.error is CancellationError)
        stub.release()
        for _ in 0..<50 { await Task.yield() }
        #expect(!board.lines.contains { $0.contains(":") }, "\(board.lines)")
        let (began, ended) = (board.lines.filter { $0 == "began" }.count, board.lines.filter { $0 == "ended" }.count)
        #expect(began > 0 && began == ended, "\(board.lines)")
    }

    // QSP-B9: of two calls on one screen the last to land ends the loading.
    @Test func theLastLandingEndsTheLoading() async throws {
        let board = Board()
        let client = client(board)
        stub.hold()
        let handles = [1, 2].map { client.start(.get("/users/\($0)", as: User.self), owner: screen) { _, _ in } }
        try await stub.received(count: 2)
        stub.release(1)
        await eventually { handles.filter(\.hasLanded).count >= 1 }
        for _ in 0..<50 { await Task.yield() }
        #expect(board.lines == ["began"])
        stub.release()
        await eventually { handles.filter(\.hasLanded).count >= 2 }
        #expect(board.lines == ["began", "ended"])
    }

    // QSP-B12: a condition of success that asks for a member of an array is not met, and nothing crashes.
    @Test(arguments: ["[1,2]", #""text""#, "7", "null", "{}"])
    func anAnswerOfAnotherShapeFailsTheCondition(body: String) async {
        let client = Client(.enveloped(body)) { $0.envelope = .status }
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == .envelopeFailure)
    }
}
