import HTTPTypes
import TarmacCore

/// The variant of a response that a request selects (RFC 9111 §4.1).
struct CacheVariant: Sendable, Equatable {
    /// The names in Vary, in lower case and sorted, without Accept-Encoding. `nil` for `*`.
    let names: [String]?
    /// Whether Accept-Encoding is one of the names. Nearly always only the transport sets it, always with the same
    /// value.
    private let variesByCoding: Bool
    /// The names as field names, without those that no field can have.
    private let fields: [HTTPField.Name?]
    /// The normalized language that the response states, or `nil` if requests do not select it by that.
    let language: String?
    private static let acceptEncoding = "accept-encoding"

    init(_ headers: HTTPFields) {
        var names: [String] = []
        for field in headers where field.name == .vary {
            var rest = Substring(field.value)
            while true {
                let comma = rest.utf8.firstIndex(of: UInt8(ascii: ","))
                let name = rest[..<(comma ?? rest.endIndex)].trimmed.lowercased()
                if name == "*" {
                    (self.names, variesByCoding, fields, language) = (nil, false, [], nil)
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
        fields = names.map { HTTPField.Name($0) }
        let stated = names.contains("accept-language") ? headers[.contentLanguage]?.trimmed.lowercased() : nil
        language = stated?.isEmpty == false ? stated : nil
    }

    /// Whether requests select both variants by the same fields.
    func isOfSameFields(as other: CacheVariant) -> Bool { names == other.names && variesByCoding == other.variesByCoding }

    /// Returns the normalized values of those fields in a request as one text, or `nil` for `*`.
    func text(of request: HTTPFields) -> String? {
        guard let names else { return nil }
        let coding = coding(of: request)
        if names.isEmpty { return coding ?? "" }
        if names.count == 1, coding == nil { return part(0, request) }
        return (names.indices.map { part($0, request) } + (coding.map { [$0] } ?? [])).joined(separator: "\n")
    }

    /// Returns the normalized value of one of the fields in a request.
    private func part(_ place: Int, _ request: HTTPFields) -> String {
        // A name that no field can have, which no request contains either.
        guard let field = fields[place] else { return names?[place] ?? "" }
        return VariantPart.text(of: field, request)
    }

    /// Returns the codings that a request accepts, if they matter.
    private func coding(of request: HTTPFields) -> String? {
        variesByCoding && request.contains(.acceptEncoding) ? VariantPart.text(of: .acceptEncoding, request) : nil
    }

    /// Whether a request selects a response that was stored with the variant `stored`.
    ///
    /// - Parameter prefersLanguages: whether a response in the request's most preferred language matches too.
    func matches(_ choice: inout VariantChoice, stored: String, prefersLanguages: Bool = true) -> Bool {
        guard let names else { return false }
        // Nearly always all fields are equal.
        if choice.text(of: self).isExactly(stored) { return true }
        guard prefersLanguages, let language, choice.language == language else { return false }
        return matchesOtherwise(choice.request, stored, names)
    }

    /// Whether a request selects a response that was stored with the variant `stored`.
    ///
    /// - Parameter response: the fields of the response. If `nil`, its language does not matter.
    func matches(_ request: HTTPFields, stored: String, of response: HTTPFields?) -> Bool {
        var choice = VariantChoice(request)
        return matches(&choice, stored: stored, prefersLanguages: response != nil)
    }

    /// Whether all fields but the language are equal. The language has been found to be the preferred one.
    private func matchesOtherwise(_ request: HTTPFields, _ stored: String, _ names: [String]) -> Bool {
        var parts = stored.split(separator: "\n", omittingEmptySubsequences: false)
        if let coding = coding(of: request), !parts.popLast().map(String.init).isExactly(coding) { return false }
        guard parts.count == names.count else { return false }
        return names.indices.allSatisfy { names[$0] == "accept-language" || part($0, request).utf8.elementsEqual(parts[$0].utf8) }
    }
}
