/// What tells cached answers apart: the service, the environment, whose they are, and what was asked.
///
/// Variants of one key, which `Vary` makes (RFC 9111 §4.1), are told apart by ``CacheEntry/variant``.
public struct CacheKey: Hashable, Sendable {
    /// The service's name.
    public let service: String
    /// The environment's name.
    public let environment: String
    /// Whose answers they are: nobody reads what was stored for another (YTK-B1). It tells no credential.
    public let principal: String
    /// `GET`, which HEAD is answered from too; another method only where the app caches it (``CacheRule/ttl(_:version:)``).
    public let method: String
    /// The whole URL. It may hold secrets: show ``CacheEntry/shownURL`` instead.
    public let url: String
    /// The digest of body and arguments, for answers that depend on them; else empty.
    public let arguments: String
    /// Whether a store may keep it longer than the process lives. A principal that is known by its credentials alone is
    /// not written to a file, since whatever stands for it there could be used to guess them.
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

    /// More variants of one key than anybody uses: a lookup brings all of them.
    package static let maximumVariants = 64

    /// One text for the whole key, in which no part runs into the next: what a durable store looks it up by.
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
        one.url == other.url && one.principal == other.principal && one.service == other.service && one.environment == other.environment
            && one.method == other.method && one.arguments == other.arguments
    }

    /// The URL and the principal tell nearly all apart, and hashing costs by length.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(principal)
    }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    /// Method and URL without query values.
    public var description: String { "\(method) \(url.prefix { $0 != "?" })\(url.contains("?") ? "?…" : "") of \(service) in \(environment)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
