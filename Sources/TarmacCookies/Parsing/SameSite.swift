/// The sites from which a browser sends a cookie (RFC 6265bis §5.6.7). The jar keeps the attribute and does not enforce
/// it: an app has no pages of other sites, so every call counts as one from the cookie's own site.
public enum SameSite: String, Sendable, Codable, Hashable {
    case strict, lax, none
    /// The cookie has no such attribute, or an unknown value.
    case unspecified = "default"
}
