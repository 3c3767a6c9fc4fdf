/// Which media types an answer may have.
public struct AcceptableContentTypes: Sendable, Hashable, CustomStringConvertible {
    private enum Rule: Hashable, Sendable {
        case automatic, any, json, xml
        case only(Set<String>)
    }
    private let rule: Rule

    /// What the value needs: ``json`` where JSON is decoded, what ``BodyDecoder`` reads where that is something else, what
    /// a ``Landing`` names, and anything otherwise.
    public static let automatic = AcceptableContentTypes(rule: .automatic)
    /// `application/json`, `text/json` and `…+json` (RFC 6839 §3.1). A missing Content-Type is acceptable.
    public static let json = AcceptableContentTypes(rule: .json)
    /// `application/xml`, `text/xml` and `…+xml` (RFC 7303). A missing Content-Type is acceptable.
    public static let xml = AcceptableContentTypes(rule: .xml)
    /// Anything.
    public static let any = AcceptableContentTypes(rule: .any)
    /// JSON under the names servers give it, `text/html` and `text/plain` included (QSP-7).
    public static let lenientJSON = AcceptableContentTypes.only(
        "application/json", "text/json", "text/javascript", "text/html", "text/plain")
    /// These alone, such as `application/json`; without parameters, in any case.
    public static func only(_ types: String...) -> AcceptableContentTypes {
        AcceptableContentTypes(rule: .only(Set(types.map { $0.lowercased() })))
    }

    /// Whether there is nothing to look at.
    func acceptAnything(needsJSON: Bool) -> Bool {
        switch rule {
        case .any: true
        case .automatic: !needsJSON
        case .json, .xml, .only: false
        }
    }

    /// Whether a type is acceptable.
    func contains(_ type: MediaType?, needsJSON: Bool) -> Bool {
        switch rule {
        case .any: true
        case .automatic: !needsJSON || type == nil || type?.isJSON == true
        case .json: type == nil || type?.isJSON == true
        case .xml: type == nil || type?.isXML == true
        case .only(let types): type.map { types.contains($0.essence) } ?? false
        }
    }

    public var description: String {
        switch rule {
        case .automatic: "what the value needs"
        case .json: "JSON"
        case .xml: "XML"
        case .any: "any"
        case .only(let types): types.sorted().joined(separator: ", ")
        }
    }
}
