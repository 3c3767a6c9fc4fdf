import TarmacCore

/// The matching of hosts and paths with those of cookies (RFC 6265bis §5.1.3, §5.1.4).
enum CookieRules {
    /// Whether a cookie for `domain` is sent to `host`. Both are in lower-case ASCII.
    static func domainMatches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix(domain) && host.dropLast(domain.count).hasSuffix(".") && !isAddress(host)
    }

    /// Whether the host is an IP address, which has no parent domains.
    static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") { return true }
        // A name may end with the dot of the root domain.
        guard let last = host.split(separator: ".", omittingEmptySubsequences: false).last, !last.isEmpty else { return false }
        return last.allSatisfy(\.isWholeNumber)
    }

    static func pathMatches(_ path: String, _ cookie: String) -> Bool {
        guard path.utf8.starts(with: cookie.utf8) else { return false }
        return path.utf8.count == cookie.utf8.count || cookie.hasSuffix("/") || path.utf8.dropFirst(cookie.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns the path of a cookie without one: the folder of the request's path.
    static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether Secure cookies may use the connection: it is encrypted, or stays on this machine.
    static func isTrusted(_ url: HTTPURL) -> Bool { url.isSecure || url.isLoopback }
}
