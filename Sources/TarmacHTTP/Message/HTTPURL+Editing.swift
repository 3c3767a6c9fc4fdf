extension HTTPURL {
    /// Returns the URL with one more item at the end of its query. Name and value are percent-encoded.
    public func adding(query name: String, _ value: String) -> HTTPURL {
        let item = "\(Self.encoded(name))=\(Self.encoded(value))"
        return with(query: query.map { $0.isEmpty ? item : "\($0)&\(item)" } ?? item)
    }

    /// Returns the URL with another path, which is percent-encoded where necessary.
    ///
    /// - Throws: `TarmacError(.invalidURL)` for a path with a query, a fragment or a control character.
    public func with(path: String) throws(TarmacError) -> HTTPURL {
        try HTTPURLParser.refuseControls(in: path)
        guard !path.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw HTTPURLParser.invalid(path, "a path has neither query nor fragment")
        }
        let encoded = try HTTPURLParser.target(path[...], whole: path).path
        return HTTPURL(
            scheme: scheme, host: host, port: port, path: encoded.hasPrefix("/") ? encoded : "/\(encoded)", query: query,
            maskedPath: hidesPath ? Self.hiddenPath : nil)
    }

    private static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(PercentEncoding.isUnreserved) { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if PercentEncoding.isUnreserved(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
