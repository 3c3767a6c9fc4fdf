/// The hosts to which a pin set applies.
package struct PinnedHost: Sendable {
    /// The name that all the hosts share: in lower case, in ASCII, without the final dot.
    let name: String
    let takesItself: Bool
    let takesSubdomains: Bool
    /// The fault of the host as it was written, or `nil` if it is valid.
    let fault: String?

    init(_ text: String, includesSubdomains: Bool) {
        let isBelow = text.hasPrefix("*.")
        let name = String(isBelow ? text.dropFirst(2) : text[...])
        let parsed = Result { () throws(TarmacError) in try HTTPURL("https://\(name)/") }
        let host = (try? parsed.get())?.host
        let isAddress = host.map(Self.isAddress) ?? false
        self.name = host.map(Self.normal) ?? ""
        takesItself = !isBelow
        takesSubdomains = !isAddress && (isBelow || includesSubdomains)
        // A host has no port, path or query.
        if host == nil || name.contains(where: { "/?#*".contains($0) }) || (try? parsed.get())?.port != nil || Self.hasPort(name) {
            fault = "is no host name or address"
        } else {
            fault = isAddress && isBelow ? "is an address, and there is nothing below one" : nil
        }
    }

    /// Returns how well a host matches: a longer shared name ranks higher, and the host itself ranks highest.
    /// `nil` if it does not match.
    package func rank(of host: String) -> Int? {
        let host = Self.normal(host)
        if host == name { return takesItself ? .max : nil }
        return takesSubdomains && host.hasSuffix("." + name) ? name.utf8.count : nil
    }

    /// The hosts to which no other set may apply.
    var claims: [String] { (takesItself ? [name] : []) + (takesSubdomains ? ["*." + name] : []) }

    /// Returns a host without the final dot, which does not change the host in DNS.
    private static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether a name has a port. A URL drops the default port of its scheme, so the parsed URL does not show
    /// it.
    private static func hasPort(_ name: String) -> Bool { !name.hasPrefix("[") && name.contains(":") || name.contains("]:") }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
    }
}
