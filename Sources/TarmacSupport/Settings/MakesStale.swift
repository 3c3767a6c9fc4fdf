package import TarmacCore

/// The stored responses that a call makes stale when it succeeds, as texts that the room Cache reads and the room Outbox
/// stores with an entry.
package enum MakesStale: OptionKey {
    package static let name = "makesStale"
    package static let defaultValue: [String] = []
    package static func merge(_ upper: [String], over lower: [String]) -> [String] { lower + upper.filter { !lower.contains($0) } }
    package static func describe(_ value: [String]) -> String { value.isEmpty ? "none" : value.joined(separator: ", ") }
    package static func fault(of value: [String]) -> String? {
        value.contains("")
            ? "makesStale takes endpoints, tags, services, environments, principals, and URLs that are absolute or begin with /" : nil
    }
    /// Below the cache and the repeats, where every response was sent by the server for this call.
    package static var seat: Seat? { Seat(.repeating, order: 2_000) }
    package static func stage(_ value: [String], in scope: StageScope) -> (any Interceptor)? {
        value.isEmpty ? nil : MakesStaleInterceptor(selections: value)
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
