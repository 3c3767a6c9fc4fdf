import TarmacJSON

/// The media types that a response may have.
public struct AcceptableContentTypes: Sendable, Hashable, CustomStringConvertible {
    private enum Rule: Hashable, Sendable {
        case automatic, any, json, xml
        case only(Set<String>)
    }
    private let rule: Rule

    /// The types that the value requires.
    ///
    /// These are ``json`` for a value decoded from JSON, the types of the ``BodyDecoder`` for another decoder,
    /// the types that a ``Landing`` names, and any type otherwise.
    public static let automatic = AcceptableContentTypes(rule: .automatic)
    /// `application/json`, `text/json` and `…+json` (RFC 6839 §3.1). A missing Content-Type is acceptable.
    public static let json = AcceptableContentTypes(rule: .json)
    /// `application/xml`, `text/xml` and `…+xml` (RFC 7303). A missing Content-Type is acceptable.
    public static let xml = AcceptableContentTypes(rule: .xml)
    /// Any media type.
    public static let any = AcceptableContentTypes(rule: .any)
    /// JSON under the types that servers use for it, including `text/html` and `text/plain`.
    public static let lenientJSON = AcceptableContentTypes.only(
        "application/json", "text/json", "text/javascript", "text/html", "text/plain")
    /// Returns a rule that accepts only the given types, such as `application/json`. The types have no
    /// parameters, and case does not matter.
    public static func only(_ types: String...) -> AcceptableContentTypes {
        AcceptableContentTypes(rule: .only(Set(types.map { $0.lowercased() })))
    }

    /// Whether every media type is acceptable.
    package func acceptAnything(needsJSON: Bool) -> Bool {
        switch rule {
        case .any: true
        case .automatic: !needsJSON
        case .json, .xml, .only: false
        }
    }

    /// Whether a media type is acceptable.
    package func contains(_ type: MediaType?, needsJSON: Bool) -> Bool {
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
        case .only(let types): types.ordered().joined(separator: ", ")
        }
    }
}
