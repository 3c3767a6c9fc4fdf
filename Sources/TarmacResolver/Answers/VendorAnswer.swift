import TarmacJSON

/// Reads the answers of vendors' services over HTTP (pure). An attacker on the path may have written them.
package enum VendorAnswer {
    package static let sizeLimit = 65_536
    private static let defaultLife = Duration.seconds(60)
    private static let longest: Int64 = 0x7FFF_FFFF

    /// Reads JSON with `ips`, `ipsv6` and `ttl`, or a text such as `192.0.2.7;192.0.2.8,60`, in which a hyphen separates addresses of
    /// another version with a number of their own.
    ///
    /// - Throws: ``AnswerFault``.
    package static func read(_ text: String) throws(AnswerFault) -> NameAnswer {
        guard text.utf8.count <= sizeLimit else { throw AnswerFault("the answer is longer than 64 KiB") }
        let text = trimmed(text)
        return text.utf8.first == UInt8(ascii: "{") ? try json(String(text)) : try list(text)
    }

    private static func json(_ text: String) throws(AnswerFault) -> NameAnswer {
        guard let answer = try? JSON(parsing: text) else { throw AnswerFault("the answer is not JSON") }
        let texts = [answer["ips"], answer["ipsv6"]].flatMap { $0.array ?? [] }.map { $0.string ?? "" }
        return NameAnswer(try addresses(texts[...]), life: life(answer["ttl"].int.map { Int64($0) }))
    }

    private static func list(_ text: Substring) throws(AnswerFault) -> NameAnswer {
        var found: [HostAddress] = [], shortest: Duration?
        for group in text.split(separator: "-") {
            let parts = group.split(separator: ",", maxSplits: 1)
            // "0" is how a service says that it knows no address.
            let texts = (parts.first ?? "").split(separator: ";").map(trimmed).filter { $0 != "0" }
            found += try addresses(texts.map { String($0) }[...])
            let number = parts.count > 1 ? Int64(trimmed(parts[1])) : nil
            if parts.count > 1, number == nil { throw AnswerFault("the answer has no number of seconds behind its comma") }
            shortest = min(shortest ?? life(number), life(number))
        }
        return NameAnswer(found, life: shortest ?? .zero)
    }

    private static func addresses(_ texts: ArraySlice<String>) throws(AnswerFault) -> [HostAddress] {
        var found: [HostAddress] = []
        for text in texts.prefix(NameAnswer.limit) {
            guard let address = HostAddress(text) else { throw AnswerFault("the answer has something that is no address") }
            found.append(address)
        }
        return found
    }

    private static func life(_ seconds: Int64?) -> Duration { seconds.map { .seconds(min(max($0, 0), longest)) } ?? defaultLife }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        var text = Substring(text)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
