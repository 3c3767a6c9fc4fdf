#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// A cookie in a jar (RFC 6265bis §5.7). Its value is a secret, and no description shows it.
public struct Cookie: Sendable, Hashable, Codable {
    /// The name. Empty for a cookie that has only a value.
    public let name: String
    /// The value.
    public let value: String
    /// The host, in lower-case ASCII. The cookie is also sent to its subdomains unless ``isHostOnly`` is `true`.
    public let domain: String
    /// The path at and below which the cookie is sent.
    public let path: String
    /// The expiry date. `nil` for a cookie that ends with the jar.
    public let expires: Date?
    /// Whether the cookie is sent only to ``domain`` itself.
    public let isHostOnly: Bool
    /// Whether the cookie is sent only over encrypted connections or to this machine.
    public let isSecure: Bool
    /// Whether pages may not read the cookie. An app has no pages; the jar only keeps the attribute and shows it.
    public let isHTTPOnly: Bool
    /// The sites from which a browser sends the cookie.
    public let sameSite: SameSite
    /// The time at which a cookie with this name, domain and path was first set.
    public internal(set) var created: Date
    /// The time at which the cookie was last sent or set.
    public internal(set) var lastUsed: Date

    package init(
        name: String, value: String, domain: String, path: String, expires: Date?, isHostOnly: Bool, isSecure: Bool, isHTTPOnly: Bool,
        sameSite: SameSite, created: Date, lastUsed: Date
    ) {
        (self.name, self.value, self.domain, self.path) = (name, value, domain, path)
        (self.expires, self.created, self.lastUsed) = (expires, created, lastUsed)
        (self.isHostOnly, self.isSecure, self.isHTTPOnly, self.sameSite) = (isHostOnly, isSecure, isHTTPOnly, sameSite)
    }

    package func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether another cookie replaces this one.
    func isReplaced(by other: Cookie) -> Bool {
        // Byte by byte, because canonically equivalent texts are different names.
        name.utf8.elementsEqual(other.name.utf8) && domain == other.domain && isHostOnly == other.isHostOnly
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// The text for the Cookie field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension Cookie: MaskedReflectable, CustomDebugStringConvertible {
    /// The name, domain and path, never the value.
    public var description: String { "\(name.isEmpty ? "a cookie without a name" : name) of \(domain)\(path)" }
    public var debugDescription: String { description }
}
