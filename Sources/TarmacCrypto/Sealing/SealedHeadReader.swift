#if Crypto
/// Parses the members of a `Tarmac-Sealed` field: a dictionary of RFC 9651 with integers, strings, tokens and byte
/// sequences without parameters, and unique names. It returns `nil` for anything else.
///
/// Every sealed message is parsed here, and the general parser takes ten times as long as all other work on a small
/// one.
struct SealedHeadReader {
    enum Value: Equatable {
        case integer(Int64)
        case string(String)
        case token(String)
        /// Base64 text, not decoded yet.
        case bytes(String)
    }

    private let text: [UInt8]
    private var position = 0

    private init(_ text: String) { self.text = Array(text.utf8) }

    /// The members in order: few, so that a linear search is faster than hashing.
    struct Members {
        private(set) var all: [(name: String, value: Value)] = []

        subscript(name: String) -> Value? { all.first { $0.name == name }?.value }

        fileprivate mutating func add(_ name: String, _ value: Value) -> Bool {
            guard all.count < 32, self[name] == nil else { return false }
            all.append((name, value))
            return true
        }
    }

    static func members(_ text: String) -> Members? {
        var reader = SealedHeadReader(text)
        return reader.members()
    }

    private mutating func members() -> Members? {
        var members = Members()
        skipBlanks()
        while true {
            let name = take { Self.isNameByte($0) }
            guard !name.isEmpty, next() == UInt8(ascii: "="), let value = value(), members.add(name, value) else { return nil }
            skipBlanks()
            if position == text.count { return members }
            guard next() == UInt8(ascii: ",") else { return nil }
            skipBlanks()
        }
    }

    private mutating func value() -> Value? {
        switch peek {
        case UInt8(ascii: "\""): return string().map(Value.string)
        case UInt8(ascii: ":"):
            position += 1
            let base64 = take { $0 != UInt8(ascii: ":") }
            return next() == UInt8(ascii: ":") ? .bytes(base64) : nil
        case let first? where first == UInt8(ascii: "-") || Self.isDigit(first):
            // §3.3.1: at most fifteen digits.
            let digits = take { $0 == UInt8(ascii: "-") || Self.isDigit($0) }
            return digits.utf8.count <= 16 ? Int64(digits).map(Value.integer) : nil
        default:
            let token = take { Self.isTokenByte($0) }
            return token.isEmpty ? nil : .token(token)
        }
    }

    private mutating func string() -> String? {
        position += 1
        var bytes: [UInt8] = []
        while let byte = next() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next(), escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else { return nil }
                bytes.append(escaped)
            case 0x20...0x7E: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }

    // MARK: Bytes

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> String {
        let start = position
        while let byte = peek, isWanted(byte) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private mutating func skipBlanks() { while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { position += 1 } }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isNameByte(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: ".")
    }
}

extension SealedHeadReader.Value {
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var token: String? { if case .token(let text) = self { text } else { nil } }
    var base64: String? { if case .bytes(let text) = self { text } else { nil } }
}
#endif
