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
        return url.with(query: text(query, ignoring: names)).string
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
            return Array(text(String(decoding: bytes.array, as: UTF8.self), ignoring: names).utf8)
        }
        guard type.isJSON, let document = try? JSONDocument(bytes), let members = document.root.object else { return bytes.array }
        // Sorted by name, so that the order of the members does not matter.
        let kept = members.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
        return kept.flatMap { member in
            let value = (try? member.value.bytes()) ?? []
            return Array("\(member.key.utf8.count):\(member.key)\(value.count):".utf8) + value
        }
    }

    private static func text(_ items: String, ignoring names: Set<String>) -> String {
        items.split(separator: "&", omittingEmptySubsequences: false).filter { item in
            let name = item.prefix { $0 != "=" }
            return !names.contains(String(name)) && !names.contains(decoded(name))
        }.joined(separator: "&")
    }

    private static func decoded(_ name: Substring) -> String {
        String(decoding: PercentEncoding.decoded(name.utf8, plusIsBlank: true), as: UTF8.self)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
