import TarmacCore

/// The matching of hosts and paths with those of cookies (RFC 6265bis §5.1.3, §5.1.4).
enum CookieRules {
    /// Whether a cookie for `domain` is sent to `host`. Both are in lower-case ASCII.
    static func domainMatches(_ host: String, _ domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix(domain) && host.dropLast(domain.count).hasSuffix(".") && !isAddress(host)
    }

    /// Returns the host and its parent domains.
    static func domains(of host: String) -> [String] {
        if isAddress(host) { return [host] }
        var domains = [host]
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if !rest.isEmpty { domains.append(String(rest)) }
        }
        return domains
    }

    /// Whether the host is an IP address, which has no parent domains.
    static func isAddress(_ host: String) -> Bool {
        // Most names end with a letter.
        if let last = host.utf8.last, (0x61...0x7A).contains(last) { return false }
        if host.hasPrefix("[") { return true }
        // A name may end with the dot of the root domain.
        guard let last = host.split(separator: ".", omittingEmptySubsequences: false).last, !last.isEmpty else { return false }
        return last.allSatisfy(\.isWholeNumber)
    }

    static func pathMatches(_ path: String, _ cookie: String) -> Bool {
        guard path.utf8.starts(with: cookie.utf8) else { return false }
        return path.utf8.count == cookie.utf8.count || cookie.hasSuffix("/") || path.utf8.dropFirst(cookie.utf8.count).first == UInt8(ascii: "/")
    }

    /// Returns the paths of cookies that a request's path matches: the path itself, and each folder with its slash and
    /// without. Longer ones than `longest`, in UTF-8, are left out: a server chooses the path of a redirect.
    static func pathsMatched(by path: String, upTo longest: Int) -> [String] {
        var paths: [String] = []
        var afterSlash = path.startIndex
        // One byte more: a folder's path without its slash may be as long as the longest.
        for (length, slash) in path.utf8.prefix(longest + 1).indices.enumerated() where path.utf8[slash] == UInt8(ascii: "/") {
            // Two slashes in a row name one folder.
            if slash != afterSlash { paths.append(String(path[..<slash])) }
            if length < longest { paths.append(String(path[...slash])) }
            afterSlash = path.utf8.index(after: slash)
        }
        if path.utf8.count <= longest, !path.hasSuffix("/") { paths.append(path) }
        return paths
    }

    /// Returns the path of a cookie without one: the folder of the request's path.
    static func defaultPath(_ path: String) -> String {
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether Secure cookies may use the connection: it is encrypted, or stays on this machine.
    static func isTrusted(_ url: HTTPURL) -> Bool { url.isSecure || url.isLoopback }
}
