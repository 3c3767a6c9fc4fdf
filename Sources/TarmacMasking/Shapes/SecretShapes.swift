/// Finds secrets by their shape, whatever their name: signed and encrypted JWTs, private keys, credentials after
/// `Bearer`, `Basic` and `Token`, keys of large providers, and card numbers (pure).
///
/// The time is proportional to the text: each rule reads a bounded number of bytes, or bytes that no other start of
/// the same rule reads.
enum SecretShapes {
    /// Returns the range of the secret that starts at `place`, or nil.
    ///
    /// - Parameter skip: set to the place before which no shape needs to be searched for.
    static func match(_ text: TextBytes, at place: Int, skip: inout Int) -> (range: Range<Int>, rule: SecretRule)? {
        let byte = text[place]
        guard byte < 0x80, starts[Int(byte)], text.isStart(place) else { return nil }
        if TextBytes.isDigit(byte) { return digits(text, place, &skip) }
        switch byte {
        case UInt8(ascii: "-"): return privateKey(text, place, &skip)
        case UInt8(ascii: "e"): if let end = jwt(text, place) { return (place..<end, .jwt) }
        // The path of Telegram's API: /bot123456789:AAF…/sendMessage
        case UInt8(ascii: "b"): if text.has("bot", at: place), let token = botToken(text, place + 3) { return token }
        default: break
        }
        if AuthSchemes.starts[Int(byte)], let range = AuthSchemes.credentials(text, place) { return (range, .bearer) }
        return providerKey(text, place)
    }

    /// The bytes with which a secret may start.
    private static let starts: [Bool] = {
        var starts = zip(ProviderPrefixes.table, AuthSchemes.starts).map { !$0.isEmpty || $1 }
        for byte in "-e0123456789".utf8 { starts[Int(byte)] = true }
        return starts
    }()

    // MARK: Rules

    /// `eyJ…` is Base64 of `{"`: three parts, or five if encrypted, or the start of one that was truncated.
    private static func jwt(_ text: TextBytes, _ place: Int) -> Int? {
        // The end of a part, or of a name: `-` and `_` are letters of it.
        guard text.has("eyJ", at: place), !TextBytes.isBase64URL(text[place - 1]) || text[place - 2] == 0x5C || text[place - 3] == 0x25 else { return nil }
        let first = text.end(from: place, while: TextBytes.isBase64URL)
        guard first - place >= 10, text[first] == UInt8(ascii: ".") else {
            let isHeader = text.has("eyJhbGciOi", at: place) || text.has("eyJ0eXAiOi", at: place) || text.has("eyJraWQiOi", at: place)
            return isHeader && first - place >= 20 ? first : nil
        }
        var end = first, dots = 0
        while dots < 4, text[end] == UInt8(ascii: ".") {
            end = text.end(from: end + 1, while: TextBytes.isBase64URL)
            dots += 1
        }
        return dots >= 2 && end - place >= 24 ? end : nil
    }

    private static func privateKey(_ text: TextBytes, _ place: Int, _ skip: inout Int) -> (Range<Int>, SecretRule)? {
        guard text.has("-----BEGIN ", at: place) else { return nil }
        // The label is short.
        let label = (place + 11..<min(place + 60, text.count)).first { text.has("PRIVATE KEY", at: $0) }
        guard let label, !(place + 11..<label).contains(where: { text[$0] == UInt8(ascii: "-") }) else { return nil }
        var end = label
        while end < text.count, text[end] != 0x22, !text.has("-----END ", at: end) { end += 1 }
        if text[end] == 0x22 { return (place..<end, .privateKey) }
        end = text.end(from: min(end + 9, text.count)) { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
        end = text.end(from: end) { $0 == UInt8(ascii: "-") }
        return (place..<end, .privateKey)
    }

    private static func providerKey(_ text: TextBytes, _ place: Int) -> (Range<Int>, SecretRule)? {
        for prefix in ProviderPrefixes.table[Int(text[place])] where matches(text, place, prefix) {
            let isPath = prefix.bytes.last == UInt8(ascii: "/")
            let start = place + prefix.bytes.count
            let end = text.end(from: start) { TextBytes.isBase64URL($0) || $0 == UInt8(ascii: ".") || isPath && $0 == UInt8(ascii: "/") }
            // Names of files and settings have such beginnings as well.
            if prefix.needsDigit, KeyShape.isSlug(text, start..<end) { continue }
            return (isPath ? start..<end : place..<end, .providerKey)
        }
        return nil
    }

    private static func matches(_ text: TextBytes, _ place: Int, _ prefix: ProviderPrefixes.Prefix) -> Bool {
        guard place + prefix.bytes.count + prefix.tail <= text.count else { return false }
        for (index, byte) in prefix.bytes.enumerated() where text[place + index] != byte { return false }
        let start = place + prefix.bytes.count
        var hasDigit = !prefix.needsDigit
        for index in start..<start + prefix.tail {
            let byte = text[index]
            guard TextBytes.isBase64URL(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") && prefix.bytes.last == byte else { return false }
            if TextBytes.isDigit(byte) { hasDigit = true }
        }
        return hasDigit
    }

    /// A card number, or the token of a Telegram bot: `123456789:` and 35 characters.
    private static func digits(_ text: TextBytes, _ place: Int, _ skip: inout Int) -> (Range<Int>, SecretRule)? {
        if text.has("1//0", at: place), let key = providerKey(text, place) { return key }
        // A fraction or a part of a hyphenated word.
        let before = text[place - 1]
        var end = place + 1
        // The digits of an escape, `%22`, are no part of a number.
        if before == UInt8(ascii: "%") { return nil }
        if before == UInt8(ascii: ".") || before == UInt8(ascii: "-"), TextBytes.isAlphanumeric(text[place - 2]) {
            skip = text.end(from: place, while: TextBytes.isDigit)
            return nil
        }
        if let end = CardNumber.end(in: text.bytes, from: place, digitsEnd: &end) { return (place..<end, .cardNumber) }
        skip = end
        return botToken(text, place)
    }

    private static func botToken(_ text: TextBytes, _ place: Int) -> (Range<Int>, SecretRule)? {
        let colon = text.end(from: place, while: TextBytes.isDigit)
        if colon - place >= 8, colon - place <= 12, text[colon] == UInt8(ascii: ":") {
            let tail = text.end(from: colon + 1, while: TextBytes.isBase64URL)
            if tail - colon - 1 >= 30, tail - colon <= 50 { return (place..<tail, .providerKey) }
        }
        return nil
    }
}
