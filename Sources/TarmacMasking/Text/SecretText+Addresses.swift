/// Passwords in addresses of servers.
extension SecretText {
    /// The user information of an address: `https://user:password@host`.
    func userInfo(_ text: TextBytes, _ start: Int) -> Finding? {
        let limit = min(text.count, start + 2048)
        var end = start, at: Int?
        while end < limit {
            let byte = text[end]
            if byte == UInt8(ascii: "@") { at = end }
            if byte <= 0x20 || "/?#\"'<>\\".utf8.contains(byte) { break }
            end += 1
        }
        guard let at, at > start else { return nil }
        return Finding(range: start..<at, rule: .address)
    }

    /// The password of `user:password@tcp(host)`, as Go's drivers write it, and of `thin:user/password@`, as Oracle's do.
    func sourceName(_ text: TextBytes, _ colon: Int) -> Finding? {
        let end = text.end(from: colon + 1, upTo: Self.longestName) { $0 > 0x20 && !"@:\"'<>".utf8.contains($0) }
        guard text[end] == UInt8(ascii: "@"), end > colon + 1 else { return nil }
        if text.has("@tcp(", at: end) || text.has("@unix(", at: end) { return Finding(range: colon + 1..<end, rule: .address) }
        guard text.has("oracle:thin", at: colon - 11) || text.has("oracle:oci", at: colon - 10) else { return nil }
        return Finding(range: colon + 1..<end, rule: .address)
    }
}
