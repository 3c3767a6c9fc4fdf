import HTTPTypes
import TarmacJSON
import TarmacCore
import TarmacDigest

/// Selects the arguments of a request that affect the response, for responses that the app caches.
enum CacheArguments {
    /// The maximum length of a body. A digest of a longer one costs more than it saves.
    static let maximumBody = 1 << 20

    /// Returns the URL without the ignored query items.
    static func url(_ url: HTTPURL, ignoring names: Set<String>) -> String {
        guard !names.isEmpty, let query = url.query else { return url.string }
        return url.with(query: String(decoding: form(Array(query.utf8), ignoring: names), as: UTF8.self)).string
    }

    /// Returns the digest of a body without the ignored fields, or `nil` if the body is a stream or too long.
    static func digest(_ body: Body, contentType: String?, ignoring names: Set<String>) -> String? {
        guard let bytes = body.buffered, bytes.count <= maximumBody else { return nil }
        if bytes.isEmpty { return "" }
        // The same bytes with another content type are another request.
        let type = contentType ?? body.contentType ?? ""
        return hex(PublicHash.hash(Array("\(type.utf8.count):\(type)".utf8) + reduced(bytes, MediaType(type), ignoring: names)))
    }

    /// Returns the digest of a text, or an empty text for an empty one.
    static func digest(_ text: String) -> String { text.isEmpty ? "" : hex(PublicHash.hash(Array(text.utf8))) }

    private static func reduced(_ bytes: Bytes, _ type: MediaType?, ignoring names: Set<String>) -> [UInt8] {
        guard !names.isEmpty, let type else { return bytes.array }
        if type.essence == "application/x-www-form-urlencoded" {
            return form(bytes.array, ignoring: names)
        }
        guard type.isJSON, let document = try? JSONDocument(bytes), let members = document.root.object else { return bytes.array }
        // Sorted by name, so that the order of the members does not matter.
        let kept = members.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        return kept.flatMap { member in
            let value = (try? member.value.bytes()) ?? []
            return Array("\(member.key.utf8.count):\(member.key)\(value.count):".utf8) + value
        }
    }

    /// Bytes, because a form may have another charset than UTF-8.
    private static func form(_ items: [UInt8], ignoring names: Set<String>) -> [UInt8] {
        let kept = items.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).filter { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return !names.contains(String(decoding: name, as: UTF8.self))
                && !names.contains(String(decoding: PercentEncoding.decoded(name, plusIsBlank: true), as: UTF8.self))
        }
        return Array(kept.joined(separator: [UInt8(ascii: "&")]))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
