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
    public var id: UInt64?
    public var key: CacheKey?
    public var service: String?
    public var environment: String?
    /// The principal of the entries: the value of ``Options/principal`` or the account of an authenticator, in every
    /// service and environment. A whole ``CacheKey/principal`` also matches.
    public var principal: String?
    /// The exact URL of the entries, with any method, arguments and variant.
    public var url: String?
    public var urlPrefix: String?
    public var tag: String?
    /// Selects the entries whose response arrived before this time.
    public var olderThan: Date?

    public init(_ configure: (inout CacheSelection) -> Void = { _ in }) { configure(&self) }

    public static let all = CacheSelection()
    public static func entry(_ id: UInt64) -> CacheSelection { CacheSelection { $0.id = id } }
    public static func key(_ key: CacheKey) -> CacheSelection { CacheSelection { $0.key = key } }
    public static func service(_ name: String) -> CacheSelection { CacheSelection { $0.service = name } }
    public static func url(_ url: String) -> CacheSelection { CacheSelection { $0.url = url } }
    public static func urlPrefix(_ prefix: String) -> CacheSelection { CacheSelection { $0.urlPrefix = prefix } }
    public static func tag(_ tag: String) -> CacheSelection { CacheSelection { $0.tag = tag } }
    public static func principal(_ principal: String) -> CacheSelection { CacheSelection { $0.principal = principal } }

    /// Whether the selection contains an entry.
    public func contains(_ entry: CacheEntry) -> Bool {
        let key = entry.key
        return id.map { $0 == entry.id } ?? true && self.key.map { $0 == key } ?? true && service.map { $0 == key.service } ?? true
            && environment.map { $0 == key.environment } ?? true
            && principal.map { $0 == key.principal || Principal.isText(key.principal, of: $0) } ?? true
            && url.map { $0 == key.url } ?? true && urlPrefix.map { key.url.hasPrefix($0) } ?? true
            && tag.map { entry.tags.contains($0) } ?? true && olderThan.map { entry.responseDate < $0 } ?? true
    }
}
