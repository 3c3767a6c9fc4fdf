import Dispatch
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

@MainActor
@Suite("Kinds of presenters", .timeLimit(.minutes(5)))
struct PresenterKindTests {
    /// A screen that presents its own calls.
    private final class Screen: LifetimeOwner, Presenter {
        let lifetime = Lifetime()
        let said = Watched<[String]>([])
        func loadingBegan(_ loading: Loading) { said.update { $0.append("began") } }
        func loadingEnded(_ loading: Loading) { said.update { $0.append("ended") } }
    }

    private let stub = StubTransport { _ in .json(#"{"n":1}"#) }

    @Test func aWeakOneDoesNotKeepAScreenAlive() async throws {
        stub.hold()
        let client = Client(stub)
        var screen: Screen? = Screen()
        let said = screen!.said
        let weak = Weak(screen!)
        for _ in 0..<2 {
            client.start(.get("/", as: Number.self), owner: screen!) {
                $0.presenter = .weak(screen!)
            } landed: { _, _ in
                Issue.record("it landed")
            }
        }
        try await stub.received(count: 2)
        try await said.wait { $0 == ["began"] }
        screen = nil
        #expect(weak.object == nil)
        try await stub.isIdle()
    }

    @Test func closuresDoToo() async throws {
        let changes = Watched<[Bool]>([])
        let presenter = ClosurePresenter(loading: { isLoading, _ in changes.update { $0.append(isLoading) } })
        try await Client(stub, presenter).get("/")
        #expect(changes.value == [true, false])
    }

    @Test func anIndicationIsTheSameAtBothEnds() async throws {
        let seen = Watched<[Loading]>([])
        let presenter = ClosurePresenter(loading: { _, loading in seen.update { $0.append(loading) } })
        let client = Client(stub, presenter)
        try await client.get("/")
        try await client.get("/")
        #expect(seen.value.count == 4)
        #expect(seen.value[0] == seen.value[1] && seen.value[2] == seen.value[3] && seen.value[0] != seen.value[2])
        #expect(Set(seen.value).count == 2)
    }

    @Test func aPresenterSetInALayerIsNamedByExplain() {
        let client = Client(stub, RecordingPresenter())
        #expect(client.explain(.get("/"))["presenter"]?.value == "RecordingPresenter")
        #expect(client.explain(.get("/")) { $0.presenter = .off }["presenter"]?.value == "none")
    }

    @Test func whereNothingIsPresentedTheMainActorIsNotAskedFor() async throws {
        // The main actor is busy with this test, which waits for the call without letting go of it.
        let client = Client(stub, RecordingPresenter()) {
            $0.showsLoading = false
            $0.hooks = [CallHooks(willStart: { _ in }, willStop: { _, _ in }, didStop: { _, _ in })]
        }
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            try await client.get("/")
            done.signal()
        }
        #expect(holdTurn(until: done))
    }

    @Test func aNewHostAtTheAddressOfAnOldOneGetsItsOwnIndication() async {
        final class Ghost: ObjectReference {
            let id = ObjectIdentifier(NoPresenter.self)
            let lifetime: Lifetime? = nil
            let holder: Watched<TestScreen?>
            init(_ screen: TestScreen) { holder = Watched(screen) }
            var object: AnyObject? { holder.value }
        }
        let (indicators, presenter) = (LoadingIndicators(), RecordingPresenter())
        let (old, new) = (Ghost(TestScreen("old")), Ghost(TestScreen("new")))
        let first = indicators.begin(presenter, on: old)
        old.holder.update { $0 = nil }
        let second = indicators.begin(presenter, on: new)
        indicators.end(first)
        indicators.end(second)
        #expect(presenter.said.value == ["began old", "began new", "ended nobody", "ended new"])
        #expect(indicators.count == 0)
    }
}
