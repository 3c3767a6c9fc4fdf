import TarmacCore

/// A language or a coding with its weight.
struct WeightedName: CustomStringConvertible {
    let tag: String
    /// In thousandths.
    let weight: Int

    var description: String { weight == 1000 ? tag : "\(tag);\(weight)" }

    static func text(_ names: [WeightedName]) -> String { names.map(\.description).joined(separator: ",") }

    private init(tag: String, weight: Int) {
        self.tag = tag
        self.weight = weight
    }

    /// Returns the normalized list of a line, or `nil` if the line is not of the usual form, ASCII without quotes and with no
    /// parameter but a weight.
    static func usual(_ line: String) -> String? {
        var names: [WeightedName] = []
        for element in line.utf8.split(separator: UInt8(ascii: ",")) {
            var bytes = element[...]
            trim(&bytes)
            if bytes.isEmpty { continue }
            guard let name = usualElement(bytes) else { return nil }
            names.append(name)
        }
        return text(sorted(names))
    }

    private static func usualElement(_ bytes: Substring.UTF8View) -> WeightedName? {
        guard bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\"") }) else { return nil }
        guard let end = bytes.firstIndex(of: UInt8(ascii: ";")) else { return WeightedName(tag: String(Substring(bytes)).lowercased(), weight: 1000) }
        var tag = bytes[..<end], rest = bytes[bytes.index(after: end)...]
        trim(&tag)
        trim(&rest)
        guard !tag.isEmpty, let weight = weight(rest) else { return nil }
        return WeightedName(tag: String(Substring(tag)).lowercased(), weight: weight)
    }

    /// Returns the weight of `q=0.8` in thousandths; `nil` for another form.
    private static func weight(_ bytes: Substring.UTF8View) -> Int? {
        let digits = Array(bytes.dropFirst(2))
        guard 3...7 ~= bytes.count, bytes.count != 4, bytes.starts(with: "q=".utf8) else { return nil }
        guard UInt8(ascii: "0")...UInt8(ascii: "1") ~= digits[0], digits.count == 1 || digits[1] == UInt8(ascii: ".") else { return nil }
        var weight = 0
        for place in 2..<5 {
            let digit = place < digits.count ? digits[place] : UInt8(ascii: "0")
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = digit else { return nil }
            weight = weight * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return digits[0] == UInt8(ascii: "1") ? 1000 : weight
    }

    private static func trim(_ bytes: inout Substring.UTF8View) {
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    }

    /// Returns the names by descending weight. Equal weights are sorted by name, because their order has no meaning.
    static func all(_ elements: [String]) -> [WeightedName] {
        sorted(elements.compactMap { WeightedName($0) })
    }

    private static func sorted(_ names: [WeightedName]) -> [WeightedName] {
        names.count < 2 ? names : names.sorted { ($1.weight, $0.tag) < ($0.weight, $1.tag) }
    }

    init?(_ text: String) {
        let parts = text.lowercased().split(separator: ";").map(\.trimmed)
        guard let first = parts.first else { return nil }
        tag = first
        var weight = 1000
        for part in parts.dropFirst() where part.hasPrefix("q=") { weight = Self.thousandths(part.dropFirst(2)) }
        self.weight = weight
    }

    /// Returns the weight, limited to 0 through 1000. 0 if the text is no number.
    private static func thousandths(_ text: Substring) -> Int {
        guard let weight = Double(text), !weight.isNaN else { return 0 }
        return Int((min(max(weight, 0), 1) * 1000).rounded())
    }
}
