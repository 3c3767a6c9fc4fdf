#if Tools
import Tarmac
import TarmacPresentation

/// A screen that loads a batch and a graph, and shows one indicator for all of it.
@MainActor
final class ProfileScreen: LifetimeOwner, Presenter {
    nonisolated let lifetime = Lifetime()
    private(set) var indicators = 0

    nonisolated init() {}

    func loadingBegan(_ loading: Loading) { indicators += 1 }

    /// The names it shows.
    func load(_ client: Client) async throws -> [String] {
        let presenter = WeakPresenter.weak(self)
        return try await client.presenting(host: .object(self)) { client in
            let (first, second) = try await client.send(Batch(GetUser(id: 1), GetUser(id: 2))) { $0.presenter = presenter }
            var graph = RequestGraph(limit: 4, configure: { $0.presenter = presenter })
            let me = graph.add(GetUser(id: 7))
            let next = graph.add(after: me) { GetUser(id: $0.id + 1) }
            let flown = try await client.send(graph)
            return [first.name, second.name, try flown[next].name]
        }
    }
}
#endif
