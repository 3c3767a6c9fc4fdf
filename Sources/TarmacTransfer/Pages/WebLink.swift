public import HTTPTypes

/// A link of a Link header field (RFC 8288 §3).
public struct WebLink: Sendable, Hashable {
    /// The URI reference between the angle brackets, as written; resolve it against the URL that answered.
    public let target: String
    /// The relation types, such as `next`; lower-cased, as they are compared (§2.1.1).
    public let relations: Set<String>
    /// What the link is about, if not the resource that answered (§3.2).
    public let anchor: String?
    /// The other parameters, names lower-cased, in order; the first of each name counts for most.
    public let parameters: [Parameter]

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        public let name: String
        /// Empty when the name stands alone.
        public let value: String
    }

    /// The links of all Link fields, in order. What cannot be understood is left out, as Appendix B has it.
    public static func links(in headers: HTTPFields) -> [WebLink] {
        guard let name = HTTPField.Name("Link") else { return [] }
        return headers[values: name].flatMap { links(in: $0) }
    }

    /// The links of one field's value.
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

extension WebLink: CustomStringConvertible, CustomReflectable {
    /// The relations; the target may hold secrets.
    public var description: String { "link \(relations.sorted().joined(separator: " "))" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
