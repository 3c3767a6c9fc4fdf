#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import TarmacCore

/// A selection of entries: those that meet every condition that is set. Without conditions, all entries.
///
/// ```swift
/// try await client.cache.remove(.all)
/// try await client.cache.remove(.tag("feed"))
/// try await client.cache.remove(CacheSelection { $0.service = "shop"; $0.urlPrefix = "https://api.shop.example/users/" })
/// ```
public struct CacheSelection: Sendable, Equatable {
    @_spi(TarmacRooms) public var id: UInt64?
    @_spi(TarmacRooms) public var key: CacheKey?
    public var service: String?
    public var environment: String?
    /// The principal of the entries: the value of ``Options/principal`` or the account of an authenticator, in every
    /// service and environment. A whole ``CacheKey/principal`` also matches.
    public var principal: String?
    /// The exact URL of the entries, with any method, arguments and variant. Entries have it in its normal form;
    /// ``ClientCache`` accepts every form of an absolute URL.
    public var url: String?
    /// The beginning of the URLs of the entries, such as `https://api.shop.example/users/`.
    public var urlPrefix: String?
    public var tag: String?
    /// Selects the entries whose response arrived before this time.
    public var olderThan: Date?

    public init(_ configure: (inout CacheSelection) -> Void = { _ in }) { configure(&self) }

    public static let all = CacheSelection()
    package static func entry(_ id: UInt64) -> CacheSelection { CacheSelection { $0.id = id } }
    package static func key(_ key: CacheKey) -> CacheSelection { CacheSelection { $0.key = key } }
    public static func service(_ name: String) -> CacheSelection { CacheSelection { $0.service = name } }
    public static func url(_ url: String) -> CacheSelection { CacheSelection { $0.url = url } }
    public static func urlPrefix(_ prefix: String) -> CacheSelection { CacheSelection { $0.urlPrefix = prefix } }
    public static func tag(_ tag: String) -> CacheSelection { CacheSelection { $0.tag = tag } }
    public static func principal(_ principal: String) -> CacheSelection { CacheSelection { $0.principal = principal } }

    /// Returns the selection with its URL in the form that entries have.
    ///
    /// - Throws: `TarmacError(.invalidURL)` for a URL that no entry can have, such as one without a scheme.
    func checked() throws(TarmacError) -> CacheSelection {
        var selection = self
        if let url { selection.url = try HTTPURL(url).string }
        if let urlPrefix { selection.urlPrefix = try Self.checked(prefix: urlPrefix) }
        return selection
    }

    private static func checked(prefix: String) throws(TarmacError) -> String {
        let schemes = ["https://", "http://"], lowered = prefix.lowercased()
        if schemes.contains(where: { $0.hasPrefix(lowered) }) { return lowered }
        guard let scheme = schemes.first(where: { lowered.hasPrefix($0) }) else {
            throw TarmacError(
                .invalidURL, "no stored response has a URL that begins with \"\(prefix.prefix(100))\"", suggestion: "begin with https:// or http://")
        }
        // Scheme and host have no case.
        let end = prefix.utf8.dropFirst(scheme.utf8.count).firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? prefix.endIndex
        return prefix[..<end].lowercased() + prefix[end...]
    }

    /// Whether the selection contains an entry.
    @_spi(TarmacRooms) public func contains(_ entry: CacheEntry) -> Bool {
        let key = entry.key
        return id.map { $0 == entry.id } ?? true && self.key.map { $0 == key } ?? true && service.map(key.service.isExactly) ?? true
            && environment.map(key.environment.isExactly) ?? true
            && principal.map { key.principal.isExactly($0) || Principal.isText(key.principal, of: $0) } ?? true
            && url.map(key.url.isExactly) ?? true && urlPrefix.map { key.url.utf8.starts(with: $0.utf8) } ?? true
            && tag.map { tag in entry.tags.contains { $0.isExactly(tag) } } ?? true && olderThan.map { entry.responseDate < $0 } ?? true
    }
}
