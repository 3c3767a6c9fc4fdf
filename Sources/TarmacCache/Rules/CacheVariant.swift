import HTTPTypes
import TarmacCore

/// The variant of a response that a request selects (RFC 9111 §4.1).
struct CacheVariant: Sendable, Equatable {
    /// The names in Vary, in lower case and sorted, without Accept-Encoding. `nil` for `*`.
    let names: [String]?
    /// Whether Accept-Encoding is one of the names. Nearly always only the transport sets it, always with the same
    /// value.
    private let variesByCoding: Bool
    private static let acceptEncoding = "accept-encoding"

    init(_ headers: HTTPFields) {
        var names: [String] = []
        for field in headers where field.name == .vary {
            var rest = Substring(field.value)
            while true {
                let comma = rest.utf8.firstIndex(of: UInt8(ascii: ","))
                let name = rest[..<(comma ?? rest.endIndex)].trimmed.lowercased()
                if name == "*" {
                    (self.names, variesByCoding) = (nil, false)
                    return
                }
                if !name.isEmpty { names.append(name) }
                guard let comma else { break }
                rest = rest[rest.utf8.index(after: comma)...]
            }
        }
        // Nearly always there is only one.
        if names.count > 1 { names = Set(names).sorted() }
        let coding = names.firstIndex(of: Self.acceptEncoding)
        if let coding { names.remove(at: coding) }
        variesByCoding = coding != nil
        self.names = names
    }

    /// Returns the normalized values of those fields in a request as one text, or `nil` for `*`.
    func text(of request: HTTPFields) -> String? {
        guard let names else { return nil }
        let coding = coding(of: request)
        if names.isEmpty { return coding ?? "" }
        if names.count == 1, coding == nil { return Self.part(names[0], request) }
        return (names.map { Self.part($0, request) } + (coding.map { [$0] } ?? [])).joined(separator: "\n")
    }

    /// Returns the codings that a request accepts, if they matter.
    private func coding(of request: HTTPFields) -> String? {
        variesByCoding && request.contains(.acceptEncoding) ? Self.part(Self.acceptEncoding, request) : nil
    }

    /// Whether a request selects a response that was stored with the variant `stored`.
    func matches(_ request: HTTPFields, stored: String, of response: HTTPFields?) -> Bool {
        guard let names else { return false }
        if names.isEmpty { return stored == coding(of: request) ?? "" }
        // Nearly always all fields are equal.
        if text(of: request) == stored { return true }
        guard names.contains("accept-language") else { return false }
        var parts = stored.split(separator: "\n", omittingEmptySubsequences: false)
        if let coding = coding(of: request), parts.popLast().map(String.init) != coding { return false }
        guard parts.count == names.count else { return false }
        return zip(names, parts).allSatisfy { name, part in
            Self.part(name, request) == part || name == "accept-language" && Self.prefers(request, response?[.contentLanguage])
        }
    }

    private static func part(_ name: String, _ request: HTTPFields) -> String {
        guard let name = HTTPField.Name(name) else { return name }
        guard request.contains(name) else { return name.canonicalName }
        let lines = request[values: name]
        let elements = self.elements(lines.joined(separator: ",")).map(\.trimmed).filter { !$0.isEmpty }
        if name == .acceptLanguage || name == .acceptEncoding {
            return name.canonicalName + ":" + WeightedName.all(elements).map(\.description).joined(separator: ",")
        }
        return name.canonicalName + ":" + elements.joined(separator: ",")
    }

    /// Returns the elements of a list. A comma within a quoted string does not separate elements (RFC 9110 §5.6.4).
    private static func elements(_ list: String) -> [Substring] {
        var isQuoted = false, isEscaped = false
        return list.split { character in
            defer { isEscaped = isQuoted && !isEscaped && character == "\\" }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }

    /// Whether a response's language is the request's single most preferred one (RFC 9110 §12.5.4).
    private static func prefers(_ request: HTTPFields, _ language: String?) -> Bool {
        guard let language = language?.trimmed.lowercased(), !language.isEmpty else { return false }
        let elements = request.filter { $0.name == .acceptLanguage }.flatMap { $0.value.split(separator: ",") }.map(\.trimmed)
        let ranges = WeightedName.all(elements)
        guard let best = ranges.first, best.weight > 0, ranges.dropFirst().allSatisfy({ $0.weight < best.weight }) else { return false }
        return best.tag == language
    }
}

/// A language or a coding with its weight.
private struct WeightedName: CustomStringConvertible {
    let tag: String
    /// In thousandths.
    let weight: Int

    var description: String { weight == 1000 ? tag : "\(tag);\(weight)" }

    /// Returns the names by descending weight. Equal weights are sorted by name, because their order has no meaning.
    static func all(_ elements: [String]) -> [WeightedName] {
        elements.compactMap { WeightedName($0) }.sorted { ($1.weight, $0.tag) < ($0.weight, $1.tag) }
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
