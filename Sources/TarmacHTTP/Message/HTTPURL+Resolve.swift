extension HTTPURL {
    /// Returns the URL that a reference, such as a Location field, denotes relative to this URL (RFC 3986
    /// §5.2).
    ///
    /// - Throws: `TarmacError(.invalidURL)` for a malformed reference or a scheme other than http(s).
    public func resolving(_ reference: String) throws(TarmacError) -> HTTPURL {
        try HTTPURLParser.refuseControls(in: reference)
        if Self.hasScheme(reference) { return try HTTPURL(reference).normalized }
        if reference.hasPrefix("//") { return try HTTPURL("\(scheme):\(reference)").normalized }
        let (path, query) = try HTTPURLParser.target(reference[...], whole: reference)
        if path.isEmpty { return with(query: query ?? self.query) }
        let merged = path.hasPrefix("/") ? path : directory + path
        return HTTPURL(scheme: scheme, host: host, port: port, path: Self.removingDotSegments(merged), query: query)
    }

    private var normalized: HTTPURL {
        HTTPURL(scheme: scheme, host: host, port: port, path: Self.removingDotSegments(path), query: query)
    }

    /// The path up to and including its last slash.
    private var directory: String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
    }

    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII, first.isLetter else { return false }
        return text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
    }

    /// Returns a path without dot segments (RFC 3986 §5.2.4).
    static func removingDotSegments(_ path: String) -> String {
        guard path.contains("/.") else { return path }
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (offset, segment) in segments.enumerated() {
            let isLast = offset == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
