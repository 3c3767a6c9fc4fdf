import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation
import TarmacTraffic

// QSP-11, QSP-12, QSP-B3: one judgement tells data errors; QSP-B4: a failure is always an error.
@MainActor
@Suite("Presented errors")
struct PresentedErrorTests {
    // QSP-11
    @Test func everyCategoryIsOneOfTheTwoKinds() {
        let kinds: [(TarmacError.Code, PresentedError.Kind?)] = [
            (.cannotFindHost, .network), (.connectionRefused, .network), (.connectionLost, .network), (.proxyFailed, .network),
            (.untrustedCertificate, .network), (.timeout, .network), (.deadlineExceeded, .network), (.truncatedBody, .network),
            (.unacceptableStatus, .data), (.envelopeFailure, .data), (.decodingFailed, .data), (.shapeMismatch, .data),
            (.redirectRefused, .data), (.invalidURL, .data), (.callerFailed, .data), (.clientShutDown, nil),
        ]
        for (code, kind) in kinds { #expect(PresentedError.Kind.of(TarmacError(code)) == kind, "\(code)") }
    }

    @Test func itSpeaksEnglishAndSimplifiedChinese() {
        let error = PresentedError(kind: .network, error: TarmacError(.timeout), host: nil)
        #expect(error.message(in: .english) == "The server took too long to answer. Please try again.")
        #expect(error.message(in: .simplifiedChinese) == "服务器响应超时，请重试。")
        #expect([error.message(in: .english), error.message(in: .simplifiedChinese)].contains(error.message))
    }

    @Test func theSentenceBlamesNobodyWrongly() {
        let sentences: [(TarmacError.Code, String, String)] = [
            (.circuitOpen, "The server has a problem. Please try again later.", "服务器出现问题，请稍后再试。"),
            (.insufficientSpace, "There is not enough space left.", "存储空间不足。"),
            (.loggedOut, "You are not signed in. Please sign in and try again.", "未登录或登录已失效，请登录后再试。"),
            (.invalidURL, "This did not work. Please try again later.", "操作失败，请稍后再试。"),
            (.callerFailed, "This did not work. Please try again later.", "操作失败，请稍后再试。"),
        ]
        for (code, english, chinese) in sentences {
            #expect(TarmacError(code).userMessage(in: .english) == english, "\(code)")
            #expect(TarmacError(code).userMessage(in: .simplifiedChinese) == chinese, "\(code)")
        }
    }

    private func presented(_ answer: Response, configure: (inout Options) -> Void) async -> [String] {
        let messages = Watched<[String]>([])
        let presenter = ClosurePresenter(error: { error in messages.update { $0.append("\(error.kind): \(error.message)") } })
        _ = await failure {
            _ = try await Client(StubTransport { _ in answer }, presenter).get("/", as: JSON.self) { options in
                options.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
                configure(&options)
            }
        }
        return messages.value
    }

    @Test func theServersOwnWordsComeFirst() async {
        let answer = Response.json(#"{"status":0,"code":7,"message":"余额不足"}"#)
        #expect(await presented(answer) { _ in } == ["data: 余额不足"])
        let status = Response.json(#"{"status":0,"message":"busy"}"#, status: .serviceUnavailable)
        #expect(await presented(status) { _ in } == ["data: busy"])
    }

    @Test func aMappedErrorIsPresentedAsItIsMapped() async {
        let answer = Response.json(#"{"status":0,"message":"raw"}"#)
        #expect(await presented(answer) { $0.mapError = [{ $0.with(userMessage: "kind words") }] } == ["data: kind words"])
    }

    @Test func anOwnerThatIsGoneOrHasCancelledIsPromptedNothing() throws {
        let presenter = RecordingPresenter()
        let client = Client(StubTransport { _ in .status(.ok) }, presenter) { $0.presentationHost = .app }
        let options = try client.engine.runtime(.clientDefault).options
        var (gone, cancelling): (TestScreen?, TestScreen) = (TestScreen(), TestScreen())
        let causes = PresentedCauses(.system)
        let owners = [WeakOwner(gone!, CallHandle()), WeakOwner(cancelling, CallHandle())]
        let prompts = try owners.map { try #require(ErrorPrompt(TarmacError(.timeout), options, CallBinding(owner: $0), causes, startedAt: .now)) }
        prompts[1].present()
        #expect(presenter.prompts.count == 1)
        gone = nil
        owners[1].handle.cancel()
        for prompt in prompts { prompt.present() }
        #expect(presenter.prompts.count == 1)
        cancelling = TestScreen()
    }

    @Test func ofTwoFailuresAtOnceTheOneTheWholeEndsWithIsPresented() async throws {
        let said = Watched<[String]>([])
        let screen = ClosurePresenter(error: { error in said.update { $0.append(error.error.context?.request ?? "") } })
        let client = Client(StubTransport { _ in .status(.ok) }, screen)
        let options = try client.engine.runtime(.clientDefault).options, causes = PresentedCauses(.system)
        let errors = ["GET /a", "GET /b"].map { request in
            TarmacError(.timeout).with(
                context: .init(endpoint: "Get", service: "s", request: request, attempts: 1, duration: .zero))
        }
        let summary = CallSummary(kind: .batch, id: 1, name: "batch", service: nil, tags: [], userInfo: UserInfo())
        for (thrown, shown) in [(errors[0], "GET /a"), (errors[1], "GET /b"), (TarmacError(.invalidGroup), "GET /a")] {
            let whole = CallScope(summary, in: .none)
            let scope = ScopePresentation(whole, in: .none, on: .app, presenter: nil, hooks: [], indicators: client.engine.indicators)
            for error in errors { #expect(scope.keep(try #require(ErrorPrompt(error, options, .none, causes, startedAt: .now)))) }
            said.update { $0 = [] }
            await scope.end(.failed(thrown))
            #expect(said.value == [shown])
        }
    }

    @Test func aHostIsNeverDescribed() async throws {
        final class Secretive { let word = "hunter2" }
        let error = PresentedError(kind: .data, error: TarmacError(.timeout), host: Secretive())
        for text in Shown.texts(error) { #expect(!text.contains("hunter2")) }
    }
}

// QSP-22, QSP-29.
@Suite("The success condition")
struct SuccessConditionTests {
    private struct Unwrapped: Decodable, Sendable { var status: Int }
    private let client = Client(StubTransport { _ in .json(#"{"status":0,"message":"no"}"#) }) {
        $0.envelope = Envelope(success: { $0["status"] == 1 }, message: "message", payload: "data")
    }

    @Test func itIsTheServicesAndAnErrorWhereItDoesNotHold() async {
        let error = await failure { _ = try await client.get("/", as: Unwrapped.self) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.userMessage == "no")
    }

    @Test func aCallMaySkipItAndLandTheWholeAnswer() async throws {
        #expect(try await client.get("/", as: Unwrapped.self) { $0.envelope = .off }.status == 0)
    }
}
