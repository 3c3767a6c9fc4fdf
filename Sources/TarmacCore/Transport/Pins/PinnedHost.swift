/// Which hosts a pin set is for.
struct PinnedHost {
    /// The name all of them share, lower-cased, in ASCII, without the dot of the root.
    let name: String
    let takesItself: Bool
    let takesSubdomains: Bool
    /// What is wrong with the host as it was written; `nil` when nothing is.
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
        // What was taken for a port, a path or a query is none of a host.
        if host == nil || name.contains(where: { "/?#*".contains($0) }) || (try? parsed.get())?.port != nil || Self.hasPort(name) {
            fault = "is no host name or address"
        } else {
            fault = isAddress && isBelow ? "is an address, and there is nothing below one" : nil
        }
    }

    /// How well a host fits: the longer the shared name the better, and best the host itself; `nil` when it does not.
    func rank(of host: String) -> Int? {
        let host = Self.normal(host)
        if host == name { return takesItself ? .max : nil }
        return takesSubdomains && host.hasSuffix("." + name) ? name.utf8.count : nil
    }

    /// What no other set may be for as well.
    var claims: [String] { (takesItself ? [name] : []) + (takesSubdomains ? ["*." + name] : []) }

    /// `api.example.` with the dot of the root is the same host to DNS, so it has the same pins.
    private static func normal(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// A port that is the scheme's own is dropped by the URL.
    private static func hasPort(_ name: String) -> Bool { !name.hasPrefix("[") && name.contains(":") || name.contains("]:") }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || host.split(separator: ".").allSatisfy { UInt8($0) != nil }
    }
}
