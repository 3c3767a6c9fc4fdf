public import TarmacCore

/// The key of a cached response: the service, the environment, the principal and the request.
///
/// ``CacheEntry/variant`` distinguishes the variants of one key that `Vary` creates (RFC 9111 §4.1).
public struct CacheKey: Hashable, Sendable {
    /// The name of the service.
    public let service: String
    /// The name of the environment.
    public let environment: String
    /// The principal that the response belongs to. No principal reads the entries of another. The text contains no
    /// credential.
    public let principal: String
    /// The method: `GET`, which also answers HEAD, or another method that the app caches
    /// (``CacheRule/ttl(_:version:configure:)``).
    public let method: String
    /// The whole URL. It may contain secrets; show ``CacheEntry/shownURL`` instead.
    public let url: String
    /// The digest of the body and arguments, for responses that depend on them. Otherwise empty.
    public let arguments: String
    /// Whether a store may keep the entry longer than the process lives.
    ///
    /// A principal that is known only by its credentials is not written to a file, because any value derived from them
    /// could be used to guess them.
    public let isDurable: Bool

    public init(
        service: String, environment: String, principal: String = "", method: String = "GET", url: String, arguments: String = "",
        isDurable: Bool = true
    ) {
        self.service = service
        self.environment = environment
        self.principal = principal
        self.method = method
        self.url = url
        self.arguments = arguments
        self.isDurable = isDurable
    }

    /// The maximum number of variants of one key. It is more than any app needs, and every lookup returns all of them.
    package static let maximumVariants = 64

    /// The whole key as one text without ambiguity. Durable stores look entries up by it.
    public var text: String {
        var text = ""
        let parts = (service, environment, principal, method, arguments)
        text.reserveCapacity(
            parts.0.utf8.count + parts.1.utf8.count + parts.2.utf8.count + parts.3.utf8.count + parts.4.utf8.count + url.utf8.count + 16)
        func append(_ part: String) {
            text += String(part.utf8.count)
            text += ":"
            text += part
        }
        append(parts.0)
        append(parts.1)
        append(parts.2)
        append(parts.3)
        append(parts.4)
        text += url
        return text
    }

    public static func == (one: CacheKey, other: CacheKey) -> Bool {
        one.url.isExactly(other.url) && one.principal.isExactly(other.principal) && one.service.isExactly(other.service)
            && one.environment.isExactly(other.environment) && one.method.isExactly(other.method) && one.arguments.isExactly(other.arguments)
    }

    /// The URL and the principal distinguish nearly all keys, and the cost of hashing grows with the length.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(principal)
    }
}

extension CacheKey: MaskedReflectable {
    /// The method and the URL, without query values, and without its path if the key tells a secret.
    public var description: String { "\(method) \(shownURL) of \(service) in \(environment)" }

    private var shownURL: String {
        let path = url.prefix { $0 != "?" }
        guard isDurable else { return path.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//") + "/…" }
        return path + (url.contains("?") ? "?…" : "")
    }
}
