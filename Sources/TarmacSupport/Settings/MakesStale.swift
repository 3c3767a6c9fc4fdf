package import TarmacCore

extension Settings {
    /// The stored responses that a call makes stale when it succeeds, as texts that the room Cache reads and the room Outbox
    /// stores with an entry.
    package static let makesStale = Setting<[String]>("makesStale", default: []) {
        $0.merge = { upper, lower in lower + upper.filter { !lower.contains($0) } }
        $0.describe = { value in value.isEmpty ? "none" : value.joined(separator: ", ") }
        $0.fault = { value in
            value.contains("")
                ? "makesStale takes endpoints, tags, services, environments, principals, and URLs that are absolute or begin with /" : nil
        }
        // Below the cache and the repeats, where every response was sent by the server for this call.
        $0.stage(at: Seat(.repeating, order: 2_000)) { value, _ in
            value.isEmpty ? nil : MakesStaleInterceptor(selections: value)
        }
    }
}

/// An object that stores responses and can mark them as stale.
package protocol StaleObserver: ChangeObserver {
    /// Called when a call has succeeded that makes the selected responses stale.
    func didMakeStale(_ selections: [String], by context: CallContext) async
}

/// Marks stored responses as stale after a success.
private struct MakesStaleInterceptor: Interceptor {
    let selections: [String]

    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let response = try await chain.proceed(request)
        if response.verdict?.error == nil { await note(chain.context) }
        return response
    }

    private func note(_ context: CallContext) async {
        // A selection does not name the URLs of responses that are on their way: none of them is stored as current.
        context.changes.noteAll()
        for observer in context.changes.observers {
            await (observer as? any StaleObserver)?.didMakeStale(selections, by: context)
        }
    }
}
