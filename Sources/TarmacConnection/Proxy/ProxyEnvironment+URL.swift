import TarmacCore

/// Parses a proxy of the form `[scheme://][user:password@]host[:port]`.
struct ProxyURLParser {
    /// The environment variable that holds the text, for errors.
    let variable: String

    func parse(_ text: String) throws(TarmacError) -> ConnectionSettings.ProxySetting {
        let (scheme, rest) = splitScheme(text)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let at = authority.lastIndex(of: "@")
        let hostAndPort = at.map { authority[authority.index(after: $0)...] } ?? authority
        // The default port of curl for every proxy is 1080.
        let (host, port) = try splitPort(hostAndPort)
        let credentials = try at.map { (index) throws(TarmacError) in try authorization(authority[..<index]) }
        return try setting(scheme: scheme, host: host, port: port ?? 1080, authorization: credentials)
    }

    private func setting(
        scheme: String, host: String, port: Int, authorization: ConnectionSettings.ProxyAuthorization?
    ) throws(TarmacError) -> ConnectionSettings.ProxySetting {
        switch scheme {
        case "http": return .http(host: host, port: port, authorization: authorization)
        case "socks5", "socks5h", "socks":
            guard authorization == nil else { throw unsupported("a SOCKS proxy with a password") }
            return .socks(host: host, port: port)
        case "https": throw unsupported("a proxy spoken to over TLS")
        case "socks4", "socks4a": throw unsupported("a SOCKS 4 proxy")
        default: throw invalid("its scheme is not known")
        }
    }

    private func splitScheme(_ text: String) -> (scheme: String, rest: Substring) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return ("http", text[...]) }
        return (text[..<colon].lowercased(), text[text.index(colon, offsetBy: 3)...])
    }

    private func splitPort(_ text: Substring) throws(TarmacError) -> (host: String, port: Int?) {
        var host = text
        var port: Int?
        let afterBracket = text.lastIndex(of: "]").map { text.index(after: $0) } ?? text.startIndex
        if let colon = text[afterBracket...].lastIndex(of: ":") {
            let digits = text[text.index(after: colon)...]
            guard digits.utf8.first != UInt8(ascii: "+"), let number = Int(digits), (1...65_535).contains(number) else {
                throw invalid("its port is not a number from 1 to 65535")
            }
            (host, port) = (text[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw invalid("it has no host") }
        return (String(host), port)
    }

    private func authorization(_ text: Substring) throws(TarmacError) -> ConnectionSettings.ProxyAuthorization {
        let colon = text.firstIndex(of: ":")
        let user = try decoded(text[..<(colon ?? text.endIndex)])
        let password = try colon.map { (index) throws(TarmacError) in try decoded(text[text.index(after: index)...]) }
        return .init(user: user, password: password ?? "")
    }

    private func decoded(_ text: Substring) throws(TarmacError) -> String {
        for sign in text.utf8.indices where text.utf8[sign] == UInt8(ascii: "%") {
            guard PercentEncoding.byte(text.utf8[sign...].dropFirst().prefix(2)) != nil else {
                throw invalid("a percent sign in its credentials is not followed by two hexadecimal digits")
            }
        }
        return String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self)
    }

    private func invalid(_ reason: String) -> TarmacError {
        TarmacError(.invalidOption, "the proxy in \(variable) is not valid: \(reason)")
    }

    private func unsupported(_ kind: String) -> TarmacError {
        TarmacError(.unsupported, "\(variable) names \(kind), which is not supported")
    }
}
