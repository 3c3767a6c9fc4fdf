import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

/// An object that is gone may leave its identity to another, which is shown what is its own.
@MainActor
@Suite("Identities that are used again", .timeLimit(.minutes(5)))
struct ReusedIdentityTests {
    /// Two references of one identity: an object that is gone, and one that came to the same address.
    // SAFETY: set once; made and read on the main actor.
    private final class Reference: ObjectReference, @unchecked Sendable {
        weak var object: AnyObject?
        let id: ObjectIdentifier
        var lifetime: Lifetime? { nil }

        init(_ object: AnyObject, id: ObjectIdentifier) {
            self.object = object
            self.id = id
        }
    }

    private let said = Watched<[String]>([])

    private final class Screen: Presenter {
        let name: String
        let said: Watched<[String]>
        init(_ name: String, _ said: Watched<[String]>) {
            self.name = name
            self.said = said
        }
        func loadingBegan(_ loading: Loading) { said.update { $0.append("began \(name)") } }
        func loadingEnded(_ loading: Loading) { said.update { $0.append("ended \(name)") } }
    }

    @Test func aWeakPresenterThatIsGoneHoldsNoIndicationForTheNext() {
        let indicators = LoadingIndicators()
        var old: Screen? = Screen("old", said)
        let new = Screen("new", said)
        let id = ObjectIdentifier(new)
        let former = indicators.begin(WeakPresenter(Reference(old!, id: id)), on: nil)
        old = nil
        let later = indicators.begin(WeakPresenter(Reference(new, id: id)), on: nil)
        #expect(former !== later && said.value == ["began old", "began new"])
        indicators.end(former)
        #expect(indicators.count == 1)
        indicators.end(later)
        #expect(indicators.count == 0 && said.value == ["began old", "began new", "ended new"])
    }

    @Test func twoWeakOnesOfALivingPresenterAreOne() {
        let indicators = LoadingIndicators()
        let screen = Screen("screen", said)
        let (one, two) = (indicators.begin(.weak(screen), on: nil), indicators.begin(.weak(screen), on: nil))
        #expect(one === two && said.value == ["began screen"])
    }

    @Test func aScopeShowsTheNextHostAnIndicationOfItsOwn() async throws {
        let indicators = LoadingIndicators()
        let presenter = Screen("screen", said)
        let whole = CallScope(CallSummary(kind: .scope, id: 1, name: "scope", service: nil, tags: [], userInfo: UserInfo()), in: .none)
        let scope = ScopePresentation(whole, in: .none, on: .app, presenter: nil, hooks: [], indicators: indicators)
        let new = Owner(Watched([]))
        var old: Owner? = Owner(Watched([]))
        let id = ObjectIdentifier(new)
        #expect(scope.show(presenter, on: Reference(old!, id: id)))
        try await said.wait { $0.count == 1 }
        old = nil
        #expect(scope.show(presenter, on: Reference(new, id: id)))
        try await said.wait { $0.count == 2 }
        await scope.end(.cancelled)
        #expect(said.value == ["began screen", "began screen", "ended screen", "ended screen"])
    }
}
