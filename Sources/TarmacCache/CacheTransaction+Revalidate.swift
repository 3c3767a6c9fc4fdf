import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Revalidation in the background, after the call was answered (RFC 5861 §3).
extension CacheTransaction {
    /// Revalidates an entry, once at a time. The work belongs to the engine; a shutdown allows 2 s for it.
    func revalidate(_ found: CacheStores.Found?) {
        guard let found else { return }
        let cacheState = cacheState
        let revalidation = CacheState.Revalidation(key: found.entry.key, variant: found.entry.variant)
        guard cacheState.begin(revalidation) else { return }
        guard let work = context.beginWork() else { return cacheState.end(revalidation) }
        context.emit(CacheEvent.revalidating)
        let transaction = CacheTransaction(request: request, subject: subject, chain: chain.flown(by: context.detached()))
        // LIFETIME: ends with its response, at the attempt's time limits, or when the shutdown closes its connection.
        Task {
            try? await transaction.lookUpAnew(found)
            transaction.context.forgetWaits()
            cacheState.end(revalidation)
            work.end()
        }
    }

    private func lookUpAnew(_ found: CacheStores.Found) async throws {
        let isPart = found.entry.part != nil, hasValidator = CacheValidation.hasValidator(found.entry.headers) && request.method == .get
        var plain = self.request
        // The call's own conditions are already answered. A part asks for its range again: the rest may be large, and
        // no call wants it.
        for name in CacheValidation.conditions + (isPart ? [] : [.range]) { plain.headers[name] = nil }
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
        // A failure leaves the stored response for as long as it may be used.
        guard response.status.code < 500 else { return }
        // The mark is that of the request: a response that was changed or removed since is not stored.
        let transaction = CacheTransaction(request: plain, subject: subject, chain: chain, since: mark)
        let kept = try await transaction.keep(response, sent: sent, .stale, stored: found)
        if case .stream(let stream) = kept.body { for try await _ in stream {} }
    }
}
