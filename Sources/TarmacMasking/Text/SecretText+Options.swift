/// `--password value`, `-u user:password`, and lines of a netrc file.
extension SecretText {
    func option(_ text: TextBytes, _ place: Int) -> Finding? {
        let before = text[place - 1]
        guard place == 0 || before <= 0x20 || before == 0x22 || before == 0x27 else { return nil }
        if text.has("password ", at: place) { return recent(text, place, ["login ", "machine "]) ? plain(text, from: place + 9) : nil }
        guard text[place] == UInt8(ascii: "-") else { return nil }
        switch text[place + 1] {
        case UInt8(ascii: "-"): return longOption(text, place + 2)
        case UInt8(ascii: "u") where TextBytes.isBlank(text[place + 2]), UInt8(ascii: "U") where TextBytes.isBlank(text[place + 2]):
            return userAndPassword(text, from: place + 2)
        case UInt8(ascii: "a") where TextBytes.isBlank(text[place + 2]):
            return recent(text, place, ["redis-cli "]) ? plain(text, from: place + 2) : nil
        case UInt8(ascii: "p"):
            if TextBytes.isBlank(text[place + 2]) { return recent(text, place, ["sshpass ", " login "]) ? plain(text, from: place + 2) : nil }
            return recent(text, place, ["mysql", "mariadb", "sshpass"]) ? plain(text, from: place + 2) : nil
        default: return nil
        }
    }

    private func longOption(_ text: TextBytes, _ start: Int) -> Finding? {
        let end = text.end(from: start, upTo: Self.longestName, while: TextBytes.isBase64URL)
        guard start < end, TextBytes.isBlank(text[end]) else { return nil }
        if text.has("user ", at: start) || text.has("proxy-user ", at: start) { return userAndPassword(text, from: end) }
        guard mayBeSecret(text, start..<end), let value = argument(text, from: end) else { return nil }
        return rule(text, start..<end, in: value).map { Finding(range: value, rule: $0) }
    }

    /// Returns the range of an argument; nil for another option, and for a word of a sentence.
    private func argument(_ text: TextBytes, from blank: Int) -> Range<Int>? {
        let start = text.end(from: blank, while: TextBytes.isBlank)
        if let mark = QuoteMark.starting(text, start) {
            let value = mark.range.upperBound..<(mark.closing(text)?.lowerBound ?? text.count)
            return value.isEmpty ? nil : value
        }
        let end = text.end(from: start) { $0 > 0x20 && !"\"'<>`\\".utf8.contains($0) }
        guard start < end, text[start] != UInt8(ascii: "-"), !Prose.isLink(text, start..<end) else { return nil }
        return start..<end
    }

    private func plain(_ text: TextBytes, from start: Int) -> Finding? {
        argument(text, from: start).map { Finding(range: $0, rule: .password) }
    }

    private func userAndPassword(_ text: TextBytes, from blank: Int) -> Finding? {
        guard let value = argument(text, from: blank), let colon = value.prefix(Self.longestName).first(where: { text[$0] == UInt8(ascii: ":") }) else {
            return nil
        }
        // `1000:1000` is a user and a group.
        guard colon + 1 < value.upperBound, !value.allSatisfy({ $0 == colon || TextBytes.isDigit(text[$0]) }) else { return nil }
        // `docker run -u www-data:www-data`
        if colon - value.lowerBound == value.upperBound - colon - 1, text.repeats(value.lowerBound..<colon, at: colon + 1) { return nil }
        if recent(text, blank, ["docker run ", "docker exec ", "docker compose ", "podman run ", "podman exec ", "grep "]) { return nil }
        return Finding(range: colon + 1..<value.upperBound, rule: .password)
    }

    private func recent(_ text: TextBytes, _ place: Int, _ words: [StaticString]) -> Bool {
        (max(0, place - 80)..<place).contains { start in words.contains { text.has($0, at: start) } }
    }
}
