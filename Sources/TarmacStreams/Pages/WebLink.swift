public import HTTPTypes
import TarmacJSON
public import TarmacCore

/// A link in a Link header field (RFC 8288 §3).
public struct WebLink: Sendable, Hashable {
    /// The URI reference between the angle brackets, as written. Resolve it against the URL of the response.
    public let target: String
    /// The relation types, such as `next`, in lower case, as they are compared (§2.1.1).
    public let relations: Set<String>
    /// The resource that the link is about, if it is not the one that responded (§3.2).
    public let anchor: String?
    /// The other parameters in order, with names in lower case. If a name repeats, use the first.
    public let parameters: [Parameter]

    /// A parameter of a link.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        /// The value; empty if the parameter has only a name.
        public let value: String
    }

    /// Returns the links of all Link fields, in order. Parts that cannot be parsed are left out (Appendix B).
    public static func links(in headers: HTTPFields) -> [WebLink] {
        guard let name = HTTPField.Name("Link") else { return [] }
        return headers[values: name].flatMap { links(in: $0) }
    }

    /// Returns the links of one field value.
    public static func links(in value: String) -> [WebLink] {
        var parser = WebLinkParser(value)
        return parser.links()
    }

    init(target: String, parameters all: [Parameter]) {
        self.target = target
        // §3.3: only the first `rel` counts; it may hold several types.
        let types = all.first { $0.name == "rel" }?.value ?? ""
        relations = Set(types.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { $0.lowercased() })
        anchor = all.first { $0.name == "anchor" }?.value
        parameters = all.filter { $0.name != "rel" && $0.name != "anchor" }
    }
}

extension WebLink: MaskedReflectable {
    /// The relations. The target is left out because it may hold secrets.
    public var description: String { "link \(relations.ordered().joined(separator: " "))" }
}
