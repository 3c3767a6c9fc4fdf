import HTTPTypes
import TarmacCore

/// The normalized value of one field of a request.
enum VariantPart {
    static func text(of name: HTTPField.Name, _ request: HTTPFields) -> String {
        let lines = request[values: name]
        if lines.isEmpty { return name.canonicalName }
        let isWeighted = name == .acceptLanguage || name == .acceptEncoding
        // Nearly always one line of a usual form.
        if lines.count == 1, let usual = isWeighted ? WeightedName.usual(lines[0]) : plain(lines[0]) { return name.canonicalName + ":" + usual }
        let elements = self.elements(lines.joined(separator: ",")).map(\.trimmed).filter { !$0.isEmpty }
        return name.canonicalName + ":" + (isWeighted ? WeightedName.text(WeightedName.all(elements)) : elements.joined(separator: ","))
    }

    /// Returns a value that is normalized as it is, or `nil` if that is not certain.
    private static func plain(_ line: String) -> String? {
        let isBlank: (UInt8?) -> Bool = { $0 == nil || $0 == 0x20 || $0 == 0x09 }
        if isBlank(line.utf8.first) || isBlank(line.utf8.last) { return nil }
        return line.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 >= 0x80 } ? nil : line
    }

    /// Returns the elements of a list. A comma within a quoted string does not separate elements (RFC 9110 §5.6.4).
    private static func elements(_ list: String) -> [Substring] { list.split(outsideQuotesAt: UInt8(ascii: ",")) }

    /// Returns the request's single most preferred language; `nil` if there is none.
    static func preferredLanguage(_ request: HTTPFields) -> String? {
        let elements = request.filter { $0.name == .acceptLanguage }.flatMap { $0.value.split(separator: ",") }.map(\.trimmed)
        let ranges = WeightedName.all(elements)
        guard let best = ranges.first, best.weight > 0, ranges.dropFirst().allSatisfy({ $0.weight < best.weight }) else { return nil }
        return best.tag
    }
}
