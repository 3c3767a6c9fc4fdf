#if SQLite
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache

/// What tells whether a body is its entry's: a checksum of URL and body among the fields.
enum CacheStamp {
    static func key(_ path: String) -> CacheKey { CacheKey(service: "s", environment: "production", principal: "ann", url: "https://s.example\(path)") }

    static func entry(_ path: String, _ body: [UInt8]) -> CacheEntry {
        let date = Date(timeIntervalSince1970: 1_767_225_600), key = key(path)
        return CacheEntry(
            key: key, headers: [.eTag: checksum(key.url, body)], requestDate: date, responseDate: date, bodyLength: Int64(body.count), tags: ["t"])
    }

    /// Not alike anywhere.
    static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
        var state = seed | 1
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            for index in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                buffer.initializeElement(at: index, to: UInt8(truncatingIfNeeded: state >> 56))
            }
            filled = count
        }
    }

    static func fits(_ entry: CacheEntry, _ body: Bytes) -> Bool {
        entry.bodyLength == body.count && entry.headers[.eTag] == checksum(entry.key.url, body.array)
    }

    /// FNV-1a over eight bytes at a time.
    private static func checksum(_ url: String, _ body: [UInt8]) -> String {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ bytes: UnsafeRawBufferPointer) {
            var index = 0
            while index + 8 <= bytes.count {
                sum = (sum ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01b3
                index += 8
            }
            while index < bytes.count {
                sum = (sum ^ UInt64(bytes[index])) &* 0x100_0000_01b3
                index += 1
            }
        }
        Array(url.utf8).withUnsafeBytes(add)
        body.withUnsafeBytes(add)
        return "\"\(String(sum, radix: 16))\""
    }

    /// `nil` when it was replaced or removed meanwhile.
    static func body(of record: CacheRecord, in store: any CacheStore) async throws -> Bytes? {
        if let body = record.body { return body }
        switch try await store.body(of: record.entry) {
        case nil: return nil
        case .bytes(let bytes): return bytes
        case .stream(let stream): return try? await stream.collect(upTo: .max)
        }
    }
}
#endif
