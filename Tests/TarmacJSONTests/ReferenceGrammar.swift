/// The grammar of RFC 8259, letter by letter as the RFC writes it down: slow, plain, and nothing shared with the parser.
struct ReferenceGrammar {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var place = 0

    /// Whether `bytes` are a JSON text in UTF-8 (§2, §8.1), without lone surrogates (§8.2).
    static func accepts(_ bytes: [UInt8], depthLimit: Int = 512) -> Bool {
        // What is no UTF-8 changes when it is read as text.
        guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) else { return false }
        var grammar = ReferenceGrammar(bytes: bytes, depthLimit: depthLimit)
        return grammar.element(depth: 0) && grammar.place == bytes.count
    }

    private init(bytes: [UInt8], depthLimit: Int) {
        (self.bytes, self.depthLimit) = (bytes, depthLimit)
    }

    private var next: Character? { place < bytes.count ? Character(UnicodeScalar(bytes[place])) : nil }

    private mutating func take(_ letters: String) -> Bool {
        guard let next, letters.contains(next) else { return false }
        place += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard bytes[place...].starts(with: word.utf8) else { return false }
        place += word.utf8.count
        return true
    }

    private mutating func space() { while take(" \t") || takeByte(0x0A) || takeByte(0x0D) {} }

    private mutating func takeByte(_ byte: UInt8) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }

    // MARK: §3 values

    private mutating func element(depth: Int) -> Bool {
        space()
        let isValue = value(depth: depth)
        space()
        return isValue
    }

    private mutating func value(depth: Int) -> Bool {
        switch next {
        case "{": depth < depthLimit && container("}", depth: depth) { $0.member(depth: depth + 1) }
        case "[": depth < depthLimit && container("]", depth: depth) { $0.element(depth: depth + 1) }
        case "\"": string()
        case "t": takeWord("true")
        case "f": takeWord("false")
        case "n": takeWord("null")
        default: number()
        }
    }

    // MARK: §4 objects, §5 arrays

    private mutating func container(_ end: String, depth: Int, _ part: (inout Self) -> Bool) -> Bool {
        place += 1
        space()
        if take(end) { return true }
        repeat {
            if !part(&self) { return false }
        } while take(",")
        return take(end)
    }

    private mutating func member(depth: Int) -> Bool {
        space()
        guard string() else { return false }
        space()
        return take(":") && element(depth: depth)
    }

    // MARK: §6 numbers

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") {
            guard take("123456789") else { return false }
            _ = digits()
        }
        if take("."), !digits() { return false }
        guard take("eE") else { return true }
        _ = take("+-")
        return digits()
    }

    private mutating func digits() -> Bool {
        let start = place
        while take("0123456789") {}
        return place > start
    }

    // MARK: §7 strings

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while place < bytes.count {
            if take("\"") { return true }
            if take("\\") {
                guard escape() else { return false }
            } else if bytes[place] < 0x20 {
                return false
            } else {
                place += 1
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        if take("\"\\/bfnrt") { return true }
        guard let first = unit() else { return false }
        switch first {
        case 0xD800..<0xDC00:
            guard take("\\"), let second = unit() else { return false }
            return 0xDC00..<0xE000 ~= second
        case 0xDC00..<0xE000: return false
        default: return true
        }
    }

    private mutating func unit() -> UInt16? {
        guard take("u"), place + 4 <= bytes.count else { return nil }
        let start = place
        while place < start + 4, take("0123456789abcdefABCDEF") {}
        guard place == start + 4 else { return nil }
        return UInt16(String(decoding: bytes[start..<place], as: UTF8.self), radix: 16)
    }
}
