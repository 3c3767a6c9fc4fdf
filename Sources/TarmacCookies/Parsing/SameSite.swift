/// From which sites a browser sends a cookie (RFC 6265bis §5.6.7). It is kept, and shown to whoever asks; an app has no
/// pages of other sites, so every call counts as one of the cookie's own site.
public enum SameSite: String, Sendable, Codable, Hashable {
    case strict, lax, none
    /// The cookie did not say, or said something else.
    case unspecified = "default"
}
