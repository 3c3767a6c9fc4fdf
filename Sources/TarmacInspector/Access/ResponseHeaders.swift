#if Inspector
/// The header fields of every response (pure).
enum ResponseHeaders {
    /// - Parameter nonce: the nonce of the page's own style and script. `nil` for everything that is not the page.
    static func all(nonce: String?) -> [(String, String)] {
        [
            ("Content-Security-Policy", policy(nonce)),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
    }

    private static func policy(_ nonce: String?) -> String {
        let never = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        guard let nonce else { return never }
        let own = "script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; img-src data:; connect-src 'self'"
        return "\(never); \(own); require-trusted-types-for 'script'; trusted-types 'none'"
    }
}
#endif
