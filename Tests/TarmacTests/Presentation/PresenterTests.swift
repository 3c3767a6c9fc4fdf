import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacOutbox
@testable import TarmacPresentation
import TarmacStreams

// QSP-10…12, 19…21; QSP-B5: a cancellation is no prompt; QSP-B9: indications are counted.
@MainActor
@Suite("Presenters", .timeLimit(.minutes(5)))
struct PresenterTests {
    private let presenter = RecordingPresenter()
    private let stub = StubTransport { request in
        switch request.url.path {
        case "/data": .json("{}", status: .internalServerError)
        case "/network": throw TarmacError(.connectionRefused, phase: .connecting, "refused")
        default: .json(#"{"n":1}"#)
        }
    }

    private func owned(_ client: Client, _ path: String, _ screen: TestScreen, configure: (inout Options) -> Void = { _ in }) async -> String {
        await withCheckedContinuation { continuation in
            client.start(.get(path, as: Number.self), owner: screen, configure: configure) { _, result in
                continuation.resume(returning: Owner.text(result))
            }
        }
    }

    @Test func aCallOfAnOwnerIsPresentedOnItBeforeItLands() async {
        let screen = TestScreen()
        #expect(await owned(Client(stub, presenter), "/", screen) == "value")
        #expect(presenter.said.value == ["began screen", "ended screen"])
    }

    // QSP-11
    @Test func networkErrorsAndDataErrorsAreToldApart() async {
        let (client, screen) = (Client(stub, presenter), TestScreen())
        #expect(await owned(client, "/data", screen) == "unacceptableStatus")
        #expect(await owned(client, "/network", screen) == "connectionRefused")
        #expect(
            presenter.said.value == [
                "began screen", "ended screen", "data screen: unacceptableStatus",
                "began screen", "ended screen", "network screen: connectionRefused",
            ])
    }

    @Test func aCallWithoutOwnerIsTheWholeApps() async throws {
        try await Client(stub, presenter).get("/")
        _ = await failure { try await Client(stub, presenter).get("/data") }
        #expect(presenter.said.value == ["began nobody", "ended nobody", "began nobody", "ended nobody", "data nobody: unacceptableStatus"])
    }

    // QSP-10: both ends of every kind of request are told: of raw ones, of streams that are read in a closure and of downloads too.
    @Test(arguments: Verb.allCases) func everyVerbIsIndicated(verb: Verb) async throws {
        try await verb.fly(Client(stub, presenter))
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    // QSP-10: a stream that is read as a sequence is indicated only where its call says so, whatever its client says.
    @Test func aSequenceIsIndicatedWhereItsCallSaysSo() async throws {
        let client = Client(StubTransport { _ in .events("data: a\n\n") }, presenter) { ($0.events, $0.showsLoading) = (.once, true) }
        _ = try await client.events(.get("/")).collected()
        #expect(presenter.said.value.isEmpty)
        _ = try await client.events(.get("/")) { $0.showsLoading = true }.collected()
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
        // Its endpoint may say so too.
        _ = try await client.events(InlineEndpoint<Void>.get("/").with { $0.showsLoading = true }).collected()
        #expect(presenter.said.value == ["began nobody", "ended nobody", "began nobody", "ended nobody"])
    }

    // QSP-10: an upload is indicated as other calls are.
    @Test func anUploadIsIndicated() async throws {
        try await Client(stub, presenter).send(Upload(.bytes(Bytes("a")), to: InlineEndpoint<Void>.post("/")))
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    // QSP-10: what an outbox sends is indicated where the outbox says so, and not where its client does.
    @Test(arguments: [false, true]) func anOutboxIndicatesWhatItSaysItself(shows: Bool) async throws {
        let client = Client(transport: .stub(stub), services: [OutboxRig.shop]) { ($0.presenter, $0.showsLoading) = (presenter, true) }
        let outbox = try Outbox(client: client, store: MemoryOutboxStore()) { _, options in if shows { options.showsLoading = true } }
        outbox.start()
        _ = try await outbox.outcome(of: try await outbox.enqueue(CreateOrder(number: 1)))
        await outbox.shutdown()
        #expect(stub.requests.count == 1 && presenter.said.value == (shows ? ["began nobody", "ended nobody"] : []))
    }

    // QSP-10: the refresh of a token is never indicated, nor is its failure presented beside that of the call, by OAuth or by an authenticator
    // of the app's own.
    @Test(arguments: [false, true], [false, true])
    func theRefreshOfATokenIsNotIndicated(isOwn: Bool, fails: Bool) async throws {
        struct Own: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
                AccessToken(try await context.client.post("/token", as: JSON.self) { $0.showsLoading = true }["access_token"].string ?? "")
            }
        }
        let stub = StubTransport { request in
            if request.url.path == "/token" {
                return fails ? .json(#"{"error":"invalid_grant"}"#, status: .badRequest) : .json(#"{"access_token":"new","token_type":"bearer"}"#)
            }
            return request.headers[.authorization] == "Bearer new" ? .json(#"{"n":1}"#) : .json("{}", status: .unauthorized)
        }
        let client = Client(stub, presenter) { $0.authenticator = isOwn ? Authentication(Own()) : .oauth(tokenURL: "/token", client: OAuthClient(id: "app")) }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        // On a screen: an indication of the refresh would be one of its own, on the app.
        let screen = TestScreen()
        _ = await owned(client, "/", screen) { $0.presentsErrors = false }
        #expect(stub.requests.map(\.url.path) == (fails ? ["/", "/token"] : ["/", "/token", "/"]))
        #expect(presenter.said.value == ["began screen", "ended screen"])
    }

    // QSP-10: a client that outlives its refresh makes calls like any other.
    @Test func aClientThatIsKeptAfterItsRefreshIsIndicated() async throws {
        struct Own: Authenticator {
            let kept: Locked<Client?>
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
                kept.withLock { $0 = context.client }
                return AccessToken("new")
            }
        }
        let kept = Locked<Client?>(nil)
        let stub = StubTransport { $0.headers[.authorization] == "Bearer old" ? .status(.unauthorized) : .json(#"{"n":1}"#) }
        let client = Client(stub, presenter) { $0.authenticator = Authentication(Own(kept: kept)) }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        try await client.get("/") { $0.showsLoading = false }
        #expect(presenter.said.value.isEmpty)
        try await kept.withLock { $0 }?.get("/")
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    // QSP-19
    @Test func theHostOfACallWinsOverItsOwner() async {
        let (screen, other) = (TestScreen(), TestScreen("other"))
        let client = Client(stub, presenter)
        _ = await owned(client, "/data", screen) { $0.presentationHost = .object(other) }
        _ = await owned(client, "/", screen) { $0.presentationHost = .app }
        #expect(
            presenter.said.value == [
                "began other", "ended other", "data other: unacceptableStatus", "began nobody", "ended nobody",
            ])
    }

    // QSP-20, QSP-21
    @Test func loadingAndErrorsAreSwitchedApart() async {
        let (client, screen) = (Client(stub, presenter), TestScreen())
        _ = await owned(client, "/data", screen) { $0.showsLoading = false }
        _ = await owned(client, "/data", screen) { $0.presentsErrors = false }
        _ = await owned(client, "/data", screen) { $0.presenter = .off }
        #expect(presenter.said.value == ["data screen: unacceptableStatus", "began screen", "ended screen"])
    }

    // QSP-B9
    @Test func callsOnOneScreenShareOneIndication() async throws {
        stub.hold()
        let client = Client(stub, presenter)
        let (screen, other) = (TestScreen(), TestScreen("other"))
        let landings = Watched(0)
        for owner in [screen, screen, screen, other] {
            client.start(.get("/", as: Number.self), owner: owner) { _, _ in landings.update { $0 += 1 } }
        }
        try await stub.received(count: 4)
        try await presenter.up.wait { $0.count == 2 }
        #expect(presenter.said.value.sorted() == ["began other", "began screen"])
        stub.release()
        try await landings.wait { $0 == 4 }
        #expect(presenter.said.value.sorted() == ["began other", "began screen", "ended other", "ended screen"])
    }

    // QSP-10, QSP-B5
    @Test func anOwnerThatIsGoneEndsItsIndicationAtOnceAndHearsOfNoError() async throws {
        let gate = Watched(false)
        // An interceptor that does not listen to cancellation keeps the call in flight.
        let client = Client(stub, presenter) {
            $0.interceptors = [
                Intercepting { request, chain in
                    await Task { _ = try? await gate.wait { $0 } }.value
                    return try await chain.proceed(request)
                }
            ]
        }
        var screen: TestScreen? = TestScreen()
        let handle = client.start(.get("/network", as: Number.self), owner: screen!) { _, _ in Issue.record("it landed") }
        try await presenter.up.wait { $0.count == 1 }
        screen = nil
        try await presenter.up.wait { $0.isEmpty }
        #expect(!handle.hasLanded)
        gate.update { $0 = true }
        await eventually { handle.hasLanded }
        #expect(presenter.said.value == ["began screen", "ended nobody"])
    }

    // QSP-10, QSP-12, QSP-B5
    @Test func cancelledCallsAreNeverPresentedAsErrors() async throws {
        stub.hold()
        let (client, screen, landings) = (Client(stub, presenter), TestScreen(), Watched<[String]>([]))
        let handle = client.start(.get("/network", as: Number.self), owner: screen) { _, result in landings.update { $0.append(Owner.text(result)) } }
        let task = Task { try await client.get("/network") }
        try await stub.received(count: 2)
        handle.cancel()
        task.cancel()
        _ = await task.result
        try await landings.wait { !$0.isEmpty }
        client.start(.get("/network", as: Number.self), owner: screen) { _, result in landings.update { $0.append(Owner.text(result)) } }
        try await stub.received(count: 3)
        client.cancelAll()
        try await landings.wait { $0.count == 2 }
        #expect(landings.value == ["cancelled", "cancelled"])
        #expect(presenter.prompts.isEmpty)
        #expect(presenter.up.value.isEmpty)
    }

    @Test func theEndOfTheClientIsNobodysFailure() async throws {
        stub.hold()
        let client = Client(stub, presenter)
        let call = Task { try await client.get("/") }
        try await stub.received(count: 1)
        await client.shutdown()
        #expect(await failure { try await call.value }?.code == .clientShutDown)
        #expect(presenter.said.value == ["began nobody", "ended nobody"])
    }

    /// A call that takes off on the turn its whole ends.
    @Test func aShareThatBeginsBehindItsEndIsKeptByNobody() {
        let screen = TestScreen()
        weak var held: RecordingPresenter?
        do {
            let presenter = RecordingPresenter()
            held = presenter
            let loading = OwnedLoading(presenter, on: WeakReference(screen), of: nil, in: LoadingIndicators())
            loading.end()
            loading.begin()
        }
        withExtendedLifetime(screen) { #expect(held == nil) }
    }
}
