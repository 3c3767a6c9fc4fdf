/// The declaration an XML text may begin with: `<?xml version="1.0" encoding="GBK"?>` (XML 1.0 §2.8).
enum XMLDeclaration {
    /// The encoding it names, as far as the text is in an encoding that agrees with ASCII; `nil` when it names none.
    static func encoding(in text: UnsafeRawBufferPointer) -> String? {
        let beginning = text.prefix(longest)
        guard beginning.starts(with: "<?xml".utf8) else { return nil }
        guard let end = beginning.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let declaration = String(decoding: beginning[..<end], as: UTF8.self)
        guard let name = declaration.firstRange(of: "encoding") else { return nil }
        let rest = declaration[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        let value = rest.dropFirst().prefix { $0 != quote }
        return value.isEmpty ? nil : value.lowercased()
    }

    // Enough for every declaration there is; a longer one is no reason to read on.
    private static let longest = 256
}
