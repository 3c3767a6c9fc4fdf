/// The declaration at the start of an XML text: `<?xml version="1.0" encoding="GBK"?>` (XML 1.0 §2.8).
enum XMLDeclaration {
    /// The encoding that the declaration names, or `nil` if it names none. The text must be in an encoding that includes ASCII.
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

    // Long enough for every real declaration.
    private static let longest = 256
}
