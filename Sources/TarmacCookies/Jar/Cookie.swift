#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One cookie as a jar keeps it (RFC 6265bis §5.7). Its value is a secret: no description shows it.
public struct Cookie: Sendable, Hashable, Codable {
    /// Its name; empty for a cookie that is all value.
    public let name: String
    /// Its value.
    public let value: String
    /// The host, in lower-case ASCII; subdomains too unless ``isHostOnly``.
    public let domain: String
    /// The path below which it is sent.
    public let path: String
    /// When it ends; `nil` for a cookie that ends with the jar.
    public let expires: Date?
    /// Whether it goes to ``domain`` alone.
    public let isHostOnly: Bool
    /// Whether it goes over encrypted connections, or to this machine, alone.
    public let isSecure: Bool
    /// Whether pages may not read it. Nothing here is a page: it is kept and told.
    public let isHTTPOnly: Bool
    /// From which sites a browser sends it.
    public let sameSite: SameSite
    /// When a cookie of its name, domain and path was first set.
    public internal(set) var created: Date
    /// When it was last sent or set.
    public internal(set) var lastUsed: Date

    func isExpired(at date: Date) -> Bool { expires.map { $0 <= date } ?? false }

    /// Whether the other takes its place.
    func isReplaced(by other: Cookie) -> Bool {
        // Byte by byte: texts that only look the same are different names.
        name.utf8.elementsEqual(other.name.utf8) && domain == other.domain && isHostOnly == other.isHostOnly
            && path.utf8.elementsEqual(other.path.utf8)
    }

    /// As the Cookie field has it.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name, domain and path; never the value.
    public var description: String { "\(name.isEmpty ? "a cookie without a name" : name) of \(domain)\(path)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
