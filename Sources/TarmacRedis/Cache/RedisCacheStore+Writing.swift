#if Redis
@_spi(TarmacRooms) public import TarmacCache
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension RedisCacheStore {
    @discardableResult
    public func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool {
        if Int64(body.count) > limit / 4 { return false }
        if body.count <= Self.inlineLimit { return try await publish(entry, small: body) }
        let writer = RedisCacheWriter(self)
        do {
            try await writer.append(body)
            return try await writer.publish(entry)
        } catch {
            await writer.abort()
            throw error
        }
    }

    public func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? {
        entry.bodyLength > limit / 4 ? nil : RedisCacheWriter(self)
    }

    func publish(_ entry: CacheEntry, small body: Bytes) async throws -> Bool {
        let veil = try await veil()
        return try await publish(entry, length: Int64(body.count), veil, (number: "", chunks: 0, small: veil.seal(body, as: .body(entry.id))))
    }

    func publish(_ entry: CacheEntry, length: Int64, body number: Int64, chunks: Int64) async throws -> Bool {
        try await publish(entry, length: length, try await veil(), (number: "\(number)", chunks: chunks, small: .empty))
    }

    private func publish(
        _ entry: CacheEntry, length: Int64, _ veil: CacheKeyDigester, _ body: (number: String, chunks: Int64, small: Bytes)
    ) async throws -> Bool {
        var entry = entry
        entry.bodyLength = length
        let head = try veil.seal(Bytes(entry.encoded), as: .head(entry.id)), size = Int64(head.count) + length
        guard size <= limit / 4 else { return false }
        try await flush()
        let place = veil.digest(entry.key.text), variant = veil.digest(entry.variant), terms = CacheRow.terms(of: entry, veil).joined(separator: " ")
        let texts = [CacheRow.text(of: entry.id), place, variant, terms, body.number, "\(size)", "\(limit)", "\(body.chunks)"]
        let most = CacheKey.maximumVariants
        let arguments = texts.map { Bytes($0) } + [Bytes("\(most)"), Bytes("\(length)"), head, body.small]
        let reply = try await run(CacheScripts.publish, arguments).values(of: "EVAL")
        guard reply.count == 2, let isStored = reply[0].number, let gone = reply[1].number else { throw TarmacError.strangeReply(to: "EVAL") }
        state.withLock { $0.evictions = $0.evictions.addingClamped(Int(clamping: gone)) }
        return isStored == 1
    }

    @discardableResult
    public func update(_ entry: CacheEntry) async throws -> Bool {
        let veil = try await veil(), head = try veil.seal(Bytes(entry.encoded), as: .head(entry.id))
        let terms = CacheRow.terms(of: entry, veil).joined(separator: " ")
        return try await run(CacheScripts.update, [Bytes(CacheRow.text(of: entry.id)), Bytes(terms), head]).number(of: "EVAL") == 1
    }

    func bodyKey(_ number: Int64) -> String { "\(base):body:\(number)" }

    // MARK: Removing

    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        var count = 0
        try await walk(selection, after: nil) { ids in
            // Also those that this process cannot read.
            let doomed = selection == .all ? ids : try await entries(ids, selection).map { CacheRow.text(of: $0.id) }
            if !doomed.isEmpty {
                count = count.addingClamped(Int(clamping: try await runNameless(CacheScripts.remove, doomed.map { Bytes($0) }).number(of: "EVAL")))
            }
            return true
        }
        return count
    }
}
#endif
