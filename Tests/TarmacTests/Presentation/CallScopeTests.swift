import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

// QSP-B9: one indication for a whole; YTK-37: wholes have hooks of their own.
@MainActor
@Suite("Wholes made of several calls", .timeLimit(.minutes(5)))
struct CallScopeTests {
    private let presenter = RecordingPresenter()
    private let recorder = HookRecorder()
    private let screen = TestScreen()
    private let stub = StubTransport { request in
        switch request.url.path {
        case "/bad": .json("{}", status: .notFound)
        case "/worse": .json("{}", status: .internalServerError)
        default: .json(#"{"n":1}"#)
        }
    }

    @Test func oneIndicationStaysUpWithoutAGap() async throws {
        try await Client(stub, presenter).presenting(host: .object(screen)) { client in
            try await client.get("/1")
            #expect(presenter.up.value.count == 1)
            try await client.get("/2")
        }
        #expect(presenter.said.value == ["began screen", "ended screen"])
    }

    @Test func itsCallsAtTheSameTimeShareIt() async throws {
        try await Client(stub, presenter).presenting(host: .object(screen)) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 { group.addTask { try await client.get("/\(number)") } }
                try await group.waitForAll()
            }
        }
        #expect(presenter.said.value == ["began screen", "ended screen"])
    }

    @Test func ofItsErrorsTheFirstIsPresentedAfterTheEnd() async throws {
        try await Client(stub, presenter).presenting(host: .object(screen)) { client in
            _ = await failure { try await client.get("/bad") }
            _ = await failure { try await client.get("/worse") }
            #expect(presenter.prompts.isEmpty)
        }
        #expect(presenter.said.value == ["began screen", "ended screen", "data screen: unacceptableStatus"])
    }

    @Test func whatTheSettingsOfItsCallsSayHolds() async throws {
        try await Client(stub, presenter).presenting(host: .object(screen)) { client in
            _ = await failure {
                try await client.get("/bad") {
                    $0.presentsErrors = false
                    $0.showsLoading = false
                }
            }
            #expect(presenter.up.value.isEmpty)
            try await client.get("/") { $0.presentationHost = .app }
        }
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    @Test func aWholeInsideAWholeIsPartOfIt() async throws {
        try await Client(stub, presenter).presenting(host: .object(screen)) { client in
            try await client.flyingAsOne(.batch, name: "inner") { client in
                _ = await failure { try await client.get("/bad") }
            }
            #expect(presenter.said.value == ["began screen"])
        }
        #expect(presenter.said.value == ["began screen", "ended screen", "data screen: unacceptableStatus"])
    }

    // QSP-B5: a failure that is kept is not presented when the whole is cancelled.
    @Test func aCancelledWholePromptsNothing() async throws {
        let client = Client(stub, presenter)
        let reached = Watched(false)
        let call = Task {
            try await client.presenting(host: .object(screen)) { client in
                _ = await failure { try await client.get("/bad") }
                reached.update { $0 = true }
                try await Watched(false).wait { $0 }
            }
        }
        try await reached.wait { $0 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(presenter.said.value == ["began screen", "ended screen"])
    }

    @Test func anOwnerThatIsGoneEndsItAtOnce() async throws {
        let (gate, hasFailed) = (Watched(false), Watched(false))
        let client = Client(stub, presenter)
        var owner: TestScreen? = TestScreen()
        let handle = client.start(
            ClientWork { client in
                try await client.flyingAsOne(.graph, name: "graph") { client in
                    try await client.get("/1")
                    _ = await failure { try await client.get("/bad") }
                    hasFailed.update { $0 = true }
                    await Task { _ = try? await gate.wait { $0 } }.value
                }
            }, owner: owner!
        ) { _, _ in
            Issue.record("it landed")
        }
        try await presenter.up.wait { $0.count == 1 }
        try await hasFailed.wait { $0 }
        owner = nil
        try await presenter.up.wait { $0.isEmpty }
        #expect(!handle.hasLanded)
        gate.update { $0 = true }
        await eventually { handle.hasLanded }
        #expect(presenter.said.value == ["began screen", "ended nobody"])
    }

    @Test func aHostThatIsGoneEndsItsIndicationAtOnceWithoutAnOwner() async throws {
        stub.hold()
        let client = Client(stub, presenter)
        var host: TestScreen? = TestScreen()
        let place = PresentationHost.object(host!)
        let call = Task { try await client.get("/bad") { $0.presentationHost = place } }
        try await presenter.up.wait { $0.count == 1 }
        host = nil
        try await presenter.up.wait { $0.isEmpty }
        stub.release()
        #expect(await failure { try await call.value }?.code == .unacceptableStatus)
        #expect(presenter.said.value == ["began screen", "ended nobody"])
    }

    @Test func itsClientKeptBeyondItsEndMakesCallsOfTheirOwn() async throws {
        let kept = Watched<Client?>(nil)
        try await Client(stub, presenter).presenting { client in kept.update { $0 = client } }
        // The handle is gone with the client, so the client is kept here.
        let client = Client(stub, presenter)
        try await client.presenting { client in kept.update { $0 = client } }
        _ = await failure { try await kept.value?.get("/bad") }
        #expect(presenter.said.value == ["began nobody", "ended nobody", "data nobody: unacceptableStatus"])
    }

    @Test(arguments: [CallSummary.Kind.batch, .chain, .graph, .scope])
    func itsHooksSeeItAsOne(kind: CallSummary.Kind) async throws {
        let client = Client(stub)
        try await client.flyingAsOne(kind, name: "whole", hooks: recorder.hooks(), tags: ["t"]) { client in
            try await client.get("/1")
            try await client.get("/2")
        }
        _ = await failure { try await client.flyingAsOne(kind, name: "whole", hooks: recorder.hooks()) { try await $0.get("/bad") } }
        #expect(recorder.words == HookRecorder.whole("value") + HookRecorder.whole("unacceptableStatus"))
        let call = try #require(recorder.entries.value.first?.call)
        #expect(call.kind == kind && call.name == "whole" && call.tags == ["t"] && call.service == nil)
    }

    @Test func itLeavesNothingBehind() async throws {
        let client = Client(stub, presenter)
        for _ in 0..<10 { _ = await failure { try await client.presenting { try await $0.get("/bad") } } }
        #expect(client.engine.wholes.isEmpty)
        #expect(client.engine.indicators.count == 0)
        #expect(client.engine.callsInFlight.isEmpty)
    }
}
