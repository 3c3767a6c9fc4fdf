import HTTPTypes
import TarmacCore

/// Looking up anew, behind the back of a call that was answered (RFC 5861 §3).
extension CacheVisit {
    /// Once for each entry at a time. It belongs to the engine: a shutdown gives it 2 s to be kept.
    func revalidate(_ found: CacheStores.Found?) {
        guard let found else { return }
        let runtime = context.runtime, shelf = shelf
        let revalidation = CacheShelf.Revalidation(key: found.entry.key, variant: found.entry.variant)
        guard shelf.begin(revalidation) else { return }
        guard runtime.join() else { return shelf.end(revalidation) }
        context.emit(.cacheRevalidating)
        let visit = CacheVisit(request: request, subject: subject, chain: chain.flown(by: context.detached()))
        // LIFETIME: ends with its answer, at the attempt's time limits, or when the shutdown closes its connection.
        Task {
            try? await visit.lookUpAnew(found)
            shelf.end(revalidation)
            runtime.leave()
        }
    }

    private func lookUpAnew(_ found: CacheStores.Found) async throws {
        let hasValidator = CacheValidation.hasValidator(found.entry.headers) && found.entry.part == nil && request.method == .get
        var plain = self.request
        // The caller's own conditions and ranges were answered.
        for name in CacheValidation.conditions + [.range] { plain.headers[name] = nil }
        let sent = now
        var request = plain
        if hasValidator { CacheValidation.addConditions(for: found.entry.headers, to: &request.headers) }
        var response = try await forward(request, expectsNotModified: hasValidator)
        if response.status == .notModified, hasValidator {
            if CacheValidation.selects(response.headers, found.entry.headers, isOwnCondition: true) {
                return await note(freshened(found, by: response, sent: sent), by: response)
            }
            response = try await forward(plain)
        }
        // A failure leaves what is there for as long as it may be used.
        guard response.status.code < 500 else { return }
        // As old as its request: what was changed or purged since is not stored.
        let visit = CacheVisit(request: plain, subject: subject, chain: chain, since: mark)
        let kept = try await visit.keep(response, sent: sent, .stale, stored: found)
        if case .stream(let stream) = kept.body { for try await _ in stream {} }
    }
}
