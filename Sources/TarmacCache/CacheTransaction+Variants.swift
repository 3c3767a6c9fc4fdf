#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacJSON

/// The entries of one key for different requests (RFC 9111 §4.1).
extension CacheTransaction {
    /// Removes the oldest variants above the limit. If Vary names a field that differs in each request, their number
    /// would grow without end, and every lookup reads them all. Tarmac's own stores do this themselves.
    func thin(_ found: [CacheStores.Found]) async {
        if found.count <= CacheKey.maximumVariants { return }
        let oldest = found.ordered { $0.entry.responseDate < $1.entry.responseDate }.prefix(found.count - CacheKey.maximumVariants)
        for found in oldest { await found.writeQueue.remove(.entry(found.entry.id), for: context) }
    }

    /// Asks the server with the entity tags of the entries for other requests (RFC 9111 §4.3.1).
    func validateVariants(_ found: [CacheStores.Found]) async throws -> Response {
        var conditional = request
        conditional.headers[.ifNoneMatch] = found.compactMap(\.entry.headers.tagToAsk).joined(separator: ", ")
        let sent = now
        let response = try await forward(conditional, expectsNotModified: true)
        guard response.status == .notModified else { return try await keep(response, sent: sent, .varyMiss, stored: nil) }
        guard let tag = response.headers.tagToAsk,
            let same = found.first(where: { EntityTag($0.entry.headers.tagToAsk ?? "").isSame(as: EntityTag(tag)) }),
            let body = await same.body(for: context), let bytes = try? await collected(body)
        else { return try await load(request, .variant, stored: nil) }
        let fresh = freshEntry(same.entry, response, sent: sent), variant = CacheVariant(fresh.headers).text(of: subject.selecting)
        let entry = CacheEntry(copying: fresh, variant: variant ?? "", isDurable: !tellsSecret(fresh.headers))
        switch effect(of: response) {
        case .none: break
        case .drop: await stores.remove(.entry(same.entry.id), for: context)
        case .store: if variant != nil { _ = await put(entry, bytes) }
        }
        context.emit(CacheEvent.validated)
        let copy = CacheStores.Found(record: CacheRecord(entry, body: bytes), writeQueue: stores.writeQueue(for: entry) ?? same.writeQueue)
        let status = CacheStatusField(outcome: .forwarded(.varyMiss), forwardStatus: 304)
        return try await respond(with: copy, .whole, freshness(entry), source: .validatedCache, status) ?? response
    }
}
