#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCache
import TarmacCore

struct CacheStoreCases {
    let make: @Sendable (Int) async throws -> any CacheStore
    private static let megabyte = 1 << 20

    func run(_ name: CacheStoreConformance.Case) async throws {
        switch name {
        case .whatIsStoredIsFound: try await whatIsStoredIsFound()
        case .nothingIsFoundUnderAnotherKey: try await nothingIsFoundUnderAnotherKey()
        case .variantsStandSideBySide: try await variantsStandSideBySide()
        case .publishingReplaces: try await publishingReplaces()
        case .emptyBodies: try await emptyBodies()
        case .largeBodiesStream: try await largeBodiesStream()
        case .unpublishedIsInvisible: try await unpublishedIsInvisible()
        case .abortedLeavesNothing: try await abortedLeavesNothing()
        case .droppedLeavesNothing: try await droppedLeavesNothing()
        case .updateChangesTheHeadAlone: try await updateChangesTheHeadAlone()
        case .updateOfWhatIsGoneFails: try await updateOfWhatIsGoneFails()
        case .bodyOfWhatIsGoneIsGone: try await bodyOfWhatIsGoneIsGone()
        case .readersOfTheOldReadToItsEnd: try await readersOfTheOldReadToItsEnd()
        case .removalBySelection: try await removalBySelection()
        case .listingInPages: try await listingInPages()
        case .theLimitIsKept: try await theLimitIsKept()
        case .whatIsUsedStays: try await whatIsUsedStays()
        case .tooLargeIsRefused: try await tooLargeIsRefused()
        case .statisticsCount: try await statisticsCount()
        case .writersAtOnceNeverMix: try await writersAtOnceNeverMix()
        }
    }

    // MARK: The parts of the cases

    private func key(_ path: String, _ change: (inout Parts) -> Void = { _ in }) -> CacheKey {
        var parts = Parts(path: path)
        change(&parts)
        return CacheKey(
            service: parts.service, environment: parts.environment, principal: parts.principal, method: parts.method,
            url: "https://s.example\(parts.path)", arguments: parts.arguments)
    }

    private struct Parts {
        var path: String
        var service = "s"
        var environment = "production"
        var principal = ""
        var method = "GET"
        var arguments = ""
    }

    private func entry(_ key: CacheKey, variant: String = "", tags: Set<String> = []) -> CacheEntry {
        // Whole milliseconds, which every store can keep.
        let date = Date(timeIntervalSince1970: 1_767_225_600.125)
        return CacheEntry(
            key: key, variant: variant, shownURL: key.url, headers: [.contentType: "text/plain", .eTag: "\"e\""], requestDate: date,
            responseDate: date.addingTimeInterval(1), tags: tags)
    }

    /// Returns bytes that identify their seed.
    private func body(_ seed: Int, count: Int) -> Bytes { Bytes((0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ seed) }) }

    private func collected(_ body: ResponseBody?) async throws -> Bytes? {
        switch body {
        case nil: nil
        case .bytes(let bytes): bytes
        case .stream(let stream): try await stream.collect(upTo: .max)
        }
    }

    private func body(_ store: any CacheStore, _ key: CacheKey) async throws -> Bytes? {
        guard let record = try await store.lookup(key).records.first else { return nil }
        if let body = record.body { return body }
        return try await collected(try await store.body(of: record.entry))
    }

    private func isEmpty(_ store: any CacheStore) async throws {
        try requireEqual(try await store.statistics().entries, 0, "the number of entries")
        try requireEqual(try await store.list(.all, after: nil, limit: 10).count, 0, "the number of those that are listed")
    }

    // MARK: Cases

    private func whatIsStoredIsFound() async throws {
        let store = try await make(Self.megabyte)
        let key = key("/a?b=c") { ($0.principal, $0.arguments, $0.method) = ("p|q", "ttl", "POST") }
        var entry = entry(key, variant: "accept-language:de\nfoo:1", tags: ["x", "y"])
        entry.headers.append(HTTPField(name: .setCookie, value: "a=b"))
        entry.headers.append(HTTPField(name: .setCookie, value: "c=d; Path=/"))
        entry.status = .init(code: 299, reasonPhrase: "Whatever")
        (entry.form, entry.part, entry.isInvalidated) = (.decoded, .init(offset: 5, total: 100), true)
        entry.part?.gaps = [6..<20, 22..<90]
        entry.terms = .init(version: -3, sensitiveData: "ab", appVersion: "1.2 β")
        entry.bodyLength = 4
        try require(try await store.publish(entry, body: Bytes("body")), "it is not stored")
        try requireEqual(try await store.lookup(entry.key).records.map(\.entry), [entry], "what is found")
        try requireEqual(try await body(store, entry.key), Bytes("body"), "the body")
    }

    private func nothingIsFoundUnderAnotherKey() async throws {
        let store = try await make(Self.megabyte)
        _ = try await store.publish(entry(key("/a") { $0.principal = "ann" }), body: Bytes("ann's"))
        let others = [
            key("/a"), key("/a") { $0.principal = "bob" }, key("/b") { $0.principal = "ann" },
            key("/a") { ($0.principal, $0.service) = ("ann", "t") }, key("/a") { ($0.principal, $0.environment) = ("ann", "test") },
            key("/a") { ($0.principal, $0.method) = ("ann", "POST") }, key("/a") { ($0.principal, $0.arguments) = ("ann", "x") },
            // Parts that would be equal if they were joined without separators.
            CacheKey(service: "sproduction", environment: "", principal: "ann", url: "https://s.example/a"),
        ]
        for other in others { try requireEqual(try await store.lookup(other).records.count, 0, "what is found under \(other)") }
    }

    private func variantsStandSideBySide() async throws {
        let store = try await make(Self.megabyte)
        for variant in ["", "foo:1", "foo:2"] { _ = try await store.publish(entry(key("/a"), variant: variant), body: Bytes(variant)) }
        try requireEqual(Set(try await store.lookup(key("/a")).records.map(\.entry.variant)), ["", "foo:1", "foo:2"], "the variants")
    }

    private func publishingReplaces() async throws {
        let store = try await make(Self.megabyte)
        _ = try await store.publish(entry(key("/a")), body: Bytes("old"))
        _ = try await store.publish(entry(key("/a")), body: Bytes("newer"))
        try requireEqual(try await store.lookup(key("/a")).records.count, 1, "the number of entries")
        try requireEqual(try await body(store, key("/a")), Bytes("newer"), "the body")
    }

    private func emptyBodies() async throws {
        let store = try await make(Self.megabyte)
        _ = try await store.publish(entry(key("/a")), body: .empty)
        try requireEqual(try await body(store, key("/a")), .empty, "the body")
    }

    private func largeBodiesStream() async throws {
        let store = try await make(64 * Self.megabyte)
        guard let writer = try await store.makeWriter(for: entry(key("/a"))) else { throw Unmet(reason: "there is no writer") }
        var length = 0
        for index in 0..<48 {
            let chunk = body(index, count: 65_536 + index)
            length += chunk.count
            try await writer.append(chunk)
        }
        var entry = entry(key("/a"))
        entry.bodyLength = Int64(length)
        try require(try await writer.publish(entry), "it is not stored")
        let found = try await body(store, entry.key)?.array ?? []
        let expected = (0..<48).flatMap { body($0, count: 65_536 + $0).array }
        try require(found == expected, "the body is another, of \(found.count) bytes")
    }

    private func unpublishedIsInvisible() async throws {
        let store = try await make(Self.megabyte)
        let writer = try await store.makeWriter(for: entry(key("/a")))
        try await writer?.append(Bytes("half"))
        try requireEqual(try await store.lookup(key("/a")).records.count, 0, "what is found")
        try await isEmpty(store)
        await writer?.abort()
    }

    private func abortedLeavesNothing() async throws {
        let store = try await make(Self.megabyte)
        _ = try await store.publish(entry(key("/a")), body: Bytes("old"))
        let writer = try await store.makeWriter(for: entry(key("/a")))
        try await writer?.append(Bytes("half"))
        await writer?.abort()
        await writer?.abort()
        try requireEqual(try await body(store, key("/a")), Bytes("old"), "the body")
        _ = try await store.remove(.all)
        try await isEmpty(store)
    }

    private func droppedLeavesNothing() async throws {
        let store = try await make(Self.megabyte)
        do {
            let writer = try await store.makeWriter(for: entry(key("/a")))
            try await writer?.append(Bytes("half"))
        }
        try requireEqual(try await store.lookup(key("/a")).records.count, 0, "what is found")
        try await isEmpty(store)
    }

    private func updateChangesTheHeadAlone() async throws {
        let store = try await make(8 * Self.megabyte)
        for count in [4, 300_000] {
            var entry = entry(key("/\(count)"))
            _ = try await store.publish(entry, body: body(1, count: count))
            entry.headers[.eTag] = "\"f\""
            entry.isInvalidated = true
            try require(try await store.update(entry), "it is not updated")
            let found = try await store.lookup(entry.key).records.map(\.entry)
            try requireEqual(found.first?.headers, entry.headers, "the fields")
            try requireEqual(found.first?.isInvalidated, true, "the mark")
            try requireEqual(found.first?.bodyLength, Int64(count), "the length")
            try require(try await body(store, entry.key) == body(1, count: count), "the body is another")
        }
    }

    private func updateOfWhatIsGoneFails() async throws {
        let store = try await make(Self.megabyte)
        let old = entry(key("/a"))
        _ = try await store.publish(old, body: Bytes("old"))
        _ = try await store.publish(entry(key("/a")), body: Bytes("new"))
        try require(try await !store.update(old), "what was replaced is updated")
        _ = try await store.remove(.all)
        try require(try await !store.update(old), "what was removed is updated")
        try await isEmpty(store)
    }

    private func bodyOfWhatIsGoneIsGone() async throws {
        let store = try await make(Self.megabyte)
        let old = entry(key("/a"))
        _ = try await store.publish(old, body: Bytes("old"))
        _ = try await store.publish(entry(key("/a")), body: Bytes("new"))
        try require(try await store.body(of: old) == nil, "what was replaced has a body")
    }

    private func readersOfTheOldReadToItsEnd() async throws {
        let store = try await make(8 * Self.megabyte)
        let old = entry(key("/a")), bytes = body(1, count: 400_000)
        _ = try await store.publish(old, body: bytes)
        guard let reading = try await store.body(of: old) else { throw Unmet(reason: "there is no body") }
        _ = try await store.publish(entry(key("/a")), body: body(2, count: 400_000))
        // The complete old body or an error, and never bytes of both.
        if let read = try? await collected(reading) { try require(read == bytes, "the body is mixed") }
        try require(try await body(store, key("/a")) == body(2, count: 400_000), "the new body is another")
    }

    private func removalBySelection() async throws {
        let selections: [(CacheSelection, Int)] = [
            (.all, 4), (.url("https://s.example/a"), 2), (.urlPrefix("https://s.example/"), 4), (.urlPrefix("https://s.example/b"), 1),
            (.tag("x"), 1), (.service("t"), 1), (.principal("bob"), 1), (.key(key("/a")), 1),
            (CacheSelection { ($0.service, $0.environment, $0.url) = ("s", "production", "https://s.example/a") }, 2),
            (CacheSelection { ($0.service, $0.tag) = ("t", "x") }, 0), (CacheSelection { $0.olderThan = Date(timeIntervalSince1970: 0) }, 0),
            (CacheSelection { $0.olderThan = Date(timeIntervalSince1970: 4e9) }, 4), (CacheSelection { $0.environment = "test" }, 0),
        ]
        for (selection, count) in selections {
            let store = try await make(Self.megabyte)
            for entry in [entry(key("/a")), entry(key("/a") { $0.principal = "bob" }), entry(key("/b"), tags: ["x"]), entry(key("/c") { $0.service = "t" })] {
                _ = try await store.publish(entry, body: Bytes("body"))
            }
            try requireEqual(try await store.list(selection, after: nil, limit: 10).count, count, "the number of those listed by \(selection)")
            try requireEqual(try await store.remove(selection), count, "the number of those removed by \(selection)")
            try requireEqual(try await store.statistics().entries, 4 - count, "the number of those left by \(selection)")
        }
        // The keys of a client identify a principal within a service and an environment.
        let store = try await make(Self.megabyte)
        for name in ["bob", "bobo", "ann"] {
            _ = try await store.publish(entry(key("/a") { $0.principal = "1:s10:production\(name.utf8.count):\(name)0:0:" }), body: Bytes("body"))
        }
        try requireEqual(try await store.list(.principal("bob"), after: nil, limit: 10).count, 1, "the number of those listed of a name")
        try requireEqual(try await store.remove(.principal("bob")), 1, "the number of those removed of a name")
        try requireEqual(try await store.statistics().entries, 2, "the number of those left of other names")
    }

    private func listingInPages() async throws {
        let store = try await make(Self.megabyte)
        for index in 0..<25 { _ = try await store.publish(entry(key("/\(index)")), body: Bytes("\(index)")) }
        var seen: [CacheEntry] = []
        while true {
            let page = try await store.list(.all, after: seen.last?.id, limit: 10)
            if page.isEmpty { break }
            try require(page.count <= 10 && seen.count < 25, "a page is too long")
            seen += page
        }
        try requireEqual(Set(seen.map(\.key.url)).count, 25, "the number of those listed")
    }

    private func theLimitIsKept() async throws {
        let limit = 4 * Self.megabyte
        let store = try await make(limit)
        for index in 0..<200 {
            _ = try await store.publish(entry(key("/\(index)")), body: body(index, count: 100_000))
            try require(try await store.statistics().bytes <= Int64(limit), "it holds more than its limit")
        }
        let statistics = try await store.statistics()
        try require(statistics.entries > 10 && statistics.entries < 50, "it holds \(statistics.entries) entries")
        try require(statistics.evictions >= 150, "it tells of \(statistics.evictions) evictions")
    }

    private func whatIsUsedStays() async throws {
        let store = try await make(4 * Self.megabyte)
        let used = entry(key("/used"))
        _ = try await store.publish(used, body: body(0, count: 100_000))
        for index in 0..<200 {
            _ = try await store.publish(entry(key("/\(index)")), body: body(index, count: 100_000))
            _ = try await store.lookup(used.key)
            store.touch(used)
        }
        try require(try await store.lookup(used.key).records.count == 1, "what was used all the time is gone")
    }

    private func tooLargeIsRefused() async throws {
        let store = try await make(Self.megabyte)
        _ = try await store.publish(entry(key("/a")), body: Bytes("small"))
        try require(try await !store.publish(entry(key("/b")), body: body(0, count: 2 * Self.megabyte)), "it is said to be stored")
        try requireEqual(try await store.lookup(key("/b")).records.count, 0, "what is found")
        try requireEqual(try await body(store, key("/a")), Bytes("small"), "what was there")
    }

    private func statisticsCount() async throws {
        let store = try await make(Self.megabyte)
        try await isEmpty(store)
        for index in 0..<5 { _ = try await store.publish(entry(key("/\(index)")), body: body(index, count: 1000)) }
        let statistics = try await store.statistics()
        try requireEqual(statistics.entries, 5, "the number of entries")
        try require(statistics.bytes >= 5000 && statistics.bytes < 100_000, "they take \(statistics.bytes) bytes")
        try requireEqual(statistics.limit, Int64(Self.megabyte), "the limit")
    }

    private func writersAtOnceNeverMix() async throws {
        let store = try await make(16 * Self.megabyte)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let seed = writer * 16 + round
                        var entry = self.entry(self.key("/a"))
                        entry.headers[.server] = "\(seed)"
                        _ = try await store.publish(entry, body: self.body(seed, count: 90_000 + seed))
                        for record in try await store.lookup(entry.key).records {
                            // An entry that is replaced during the read may end with an error.
                            let streamed = record.body == nil ? try? await self.collected(try await store.body(of: record.entry)) : nil
                            let body = record.body ?? streamed ?? nil
                            guard let body, let told = record.entry.headers[.server].flatMap({ Int($0) }) else { continue }
                            try require(body == self.body(told, count: 90_000 + told), "an entry has another's body")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try requireEqual(try await store.lookup(key("/a")).records.count, 1, "the number of entries")
    }
}
