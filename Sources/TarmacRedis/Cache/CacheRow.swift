#if Redis
@_spi(TarmacRooms) import TarmacCache
import TarmacCore

/// An entry as the server has it.
struct CacheRow {
    let id: UInt64
    let head: Bytes
    let length: Int64
    /// The number of a body in chunks.
    let number: Int64?
    let body: Bytes?

    enum Content {
        case entry(CacheEntry, body: Bytes?)
        /// The key that it was sealed with is not here.
        case sealed
        case damaged(UInt64)
    }

    /// - Parameter row: the id, head and length; and the number and the small body, unless only the head was asked for.
    init?(_ row: RedisValue) {
        guard let values = row.array, values.count >= 3, let id = values[0].bytes.flatMap({ UInt64(String(decoding: $0, as: UTF8.self), radix: 16) }),
            let head = values[1].bytes, let length = values[2].number, length >= 0
        else { return nil }
        (self.id, self.head, self.length) = (id, head, length)
        number = values.count > 3 ? values[3].number : nil
        body = values.count > 4 ? values[4].bytes : nil
    }

    func open(_ veil: CacheKeyDigester) -> Content {
        do {
            guard var entry = CacheEntry(encoded: try veil.open(head, as: .head(id)).array), entry.id == id else { return .damaged(id) }
            // The ranges of a part have been checked with the length in its head.
            if entry.part != nil, entry.bodyLength != length { return .damaged(id) }
            entry.bodyLength = length
            guard let body = try body.map({ try veil.open($0, as: .body(id)) }) else { return .entry(entry, body: nil) }
            return body.count == length ? .entry(entry, body: body) : .damaged(id)
        } catch let error as TarmacError where error.code == .unknownKey { return .sealed } catch { return .damaged(id) }
    }

    /// The id as the server has it: of one length, so that the order of texts is that of numbers.
    static func text(of id: UInt64) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The digests under which a removal finds the entry.
    static func terms(of entry: CacheEntry, _ veil: CacheKeyDigester) -> [String] {
        ([urlTerm(entry.key.url)] + entry.tags.map(tagTerm)).map(veil.digest)
    }

    static func urlTerm(_ url: String) -> String { "url \(url)" }
    static func tagTerm(_ tag: String) -> String { "tag \(tag)" }
}
#endif
