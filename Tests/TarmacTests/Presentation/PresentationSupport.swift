import TarmacTesting

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

/// A screen: owner of calls and host of what is presented.
@MainActor
final class TestScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    nonisolated let name: String
    nonisolated init(_ name: String = "screen") { self.name = name }
}

/// Keeps what it was told, as words: `began a`, `ended a`, `network a: …`.
final class RecordingPresenter: Presenter {
    let said = Watched<[String]>([])
    /// Indications that are up.
    let up = Watched<Set<Int>>([])

    func loadingBegan(_ loading: Loading) {
        said.update { $0.append("began \(name(loading.host))") }
        up.update { _ = $0.insert(loading.id) }
    }

    func loadingEnded(_ loading: Loading) {
        said.update { $0.append("ended \(name(loading.host))") }
        up.update { _ = $0.remove(loading.id) }
    }

    func present(_ error: PresentedError) {
        said.update { $0.append("\(error.kind) \(name(error.host)): \(error.error.code)") }
    }

    private func name(_ host: AnyObject?) -> String { (host as? TestScreen)?.name ?? "nobody" }

    var prompts: [String] { said.value.filter { !$0.hasPrefix("began") && !$0.hasPrefix("ended") } }
}

extension Client {
    /// A client with a presenter whose calls land as the stub says.
    init(_ stub: StubTransport, _ presenter: any Presenter, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }) {
        self.init(stub, time: time) {
            $0.presenter = presenter
            configure(&$0)
        }
    }
}
