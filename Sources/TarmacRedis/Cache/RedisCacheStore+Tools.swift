#if Redis
@_spi(TarmacRooms) public import TarmacCache
@_spi(TarmacRooms) import TarmacCore

extension RedisCacheStore {
    public func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        var found: [CacheEntry] = []
        try await walk(selection, after: id) { ids in
            found += try await entries(ids, selection)
            return found.count < limit
        }
        return Array(found.prefix(max(0, limit)))
    }

    public func statistics() async throws -> CacheStatistics {
        var statistics = state.withLock { state in
            var statistics = CacheStatistics()
            (statistics.evictions, statistics.corruptions) = (state.evictions, state.corruptions)
            return statistics
        }
        statistics.entries = Int(clamping: try await commands.run("ZCARD", base + ":ids").number(of: "ZCARD"))
        statistics.bytes = try await commands.run("GET", base + ":total").number ?? 0
        statistics.limit = limit
        return statistics
    }

    /// The number of entries that are read at a time.
    private static let page = 256

    /// Calls `body` with the ids that a selection may contain, in their order and some at a time, until it returns `false`.
    func walk(_ selection: CacheSelection, after id: UInt64?, _ body: ([String]) async throws -> Bool) async throws {
        if let candidates = try await candidates(selection) {
            var rest = candidates.sorted().drop { candidate in id.map { candidate <= $0 } ?? false }
            while !rest.isEmpty {
                let page = rest.prefix(Self.page)
                guard try await body(page.map(CacheRow.text)) else { return }
                rest = rest.dropFirst(Self.page)
            }
            return
        }
        var last = id.map { "(" + CacheRow.text(of: $0) } ?? "-"
        while true {
            let reply = try await commands.run("ZRANGEBYLEX", base + ":ids", last, "+", "LIMIT", "0", "\(Self.page)")
            let ids = try reply.values(of: "ZRANGEBYLEX").compactMap { $0.bytes.map { String(decoding: $0, as: UTF8.self) } }
            guard let end = ids.last, try await body(ids) else { return }
            last = "(" + end
        }
    }

    /// Returns the ids of entries that a selection may contain, or `nil` if all have to be looked at.
    private func candidates(_ selection: CacheSelection) async throws -> [UInt64]? {
        if let id = selection.id { return [id] }
        let arguments: [Bytes]
        if let key = selection.key {
            arguments = [Bytes("place"), Bytes(try await veil().digest(key.text))]
        } else if let term = selection.url.map(CacheRow.urlTerm) ?? selection.tag.map(CacheRow.tagTerm) {
            arguments = [Bytes("term"), Bytes(try await veil().digest(term))]
        } else {
            return nil
        }
        let ids = try await run(CacheScripts.ids, arguments).values(of: "EVAL")
        return ids.compactMap { $0.bytes.flatMap { UInt64(String(decoding: $0, as: UTF8.self), radix: 16) } }
    }

    /// Returns those of the entries that this process can read and that a selection contains.
    func entries(_ ids: [String], _ selection: CacheSelection) async throws -> [CacheEntry] {
        let veil = try await veil()
        let rows = try await run(CacheScripts.heads, ids.map { Bytes($0) }).values(of: "EVAL")
        return rows.compactMap { row in
            guard case .entry(let entry, _)? = CacheRow(row)?.open(veil), selection.contains(entry) else { return nil }
            return entry
        }
    }
}
#endif
