#if Crypto
import RawStructuredFieldValues
import TarmacCore

/// A part of a message that a signature covers (RFC 9421 §2): a derived component or a header field.
///
/// ```swift
/// [.method, .targetURI, .field("content-type"), .queryParameter("id"), .field("cache-control").key("max-age")]
/// ```
public struct MessageComponent: Sendable, Hashable {
    enum Parameter: Hashable { case flag, text(String) }
    let name: String
    /// The parameters in order. The order does not matter for equality.
    private(set) var parameters: [(name: String, value: Parameter)] = []

    private init(_ name: String) { self.name = name }

    /// `@method` (§2.2.1).
    public static let method = Self("@method")
    /// `@target-uri`, the whole URL (§2.2.2).
    public static let targetURI = Self("@target-uri")
    /// `@authority`, host and port (§2.2.3).
    public static let authority = Self("@authority")
    /// `@scheme` (§2.2.4).
    public static let scheme = Self("@scheme")
    /// `@request-target`, as in the request line of HTTP/1.1 (§2.2.5).
    public static let requestTarget = Self("@request-target")
    /// `@path` (§2.2.6).
    public static let path = Self("@path")
    /// `@query`, with its question mark (§2.2.7).
    public static let query = Self("@query")
    /// `@status` of a response (§2.2.9).
    public static let status = Self("@status")
    /// `content-digest`, which represents the body (RFC 9530). A ``MessageSigner`` adds the field if the signature covers it.
    public static let contentDigest = Self("content-digest")
    /// `content-type`.
    public static let contentType = Self("content-type")

    /// Returns `@query-param`: one parameter of the query, which must occur once (§2.2.8).
    public static func queryParameter(_ name: String) -> Self { Self("@query-param").with("name", .text(PercentForm.encode(name))) }

    /// Returns a header field: the values of all its lines (§2.1).
    public static func field(_ name: String) -> Self { Self(name.lowercased()) }

    /// `sf`: the field, strictly serialized as a structured field (§2.1.1). For fields of a known kind, see
    /// ``StructuredKind``.
    public var structured: Self { with("sf", .flag) }
    /// Returns `key`: one member of a dictionary field (§2.1.2).
    public func key(_ name: String) -> Self { with("key", .text(name)) }
    /// `bs`: each line of the field in base64, for fields that cannot be joined with commas (§2.1.3).
    public var byteSequence: Self { with("bs", .flag) }
    /// `req`: the component of the request, in the signature of a response (§2.4).
    public var ofRequest: Self { with("req", .flag) }
    /// `tr`: the field in the trailers (§2.1.4).
    public var trailer: Self { with("tr", .flag) }

    /// The component without `req`.
    var ofSubject: Self {
        var copy = self
        copy.parameters.removeAll { $0.name == "req" }
        return copy
    }
    /// Whether it is a complete field of the message itself.
    func isWhole(_ field: String) -> Bool { name == field && !isOfRequest && !has("tr") && text("key") == nil }

    private func with(_ name: String, _ value: Parameter) -> Self {
        var copy = self
        copy.parameters.removeAll { $0.name == name }
        copy.parameters.append((name, value))
        return copy
    }

    func has(_ flag: String) -> Bool { parameters.contains { $0.name == flag && $0.value == .flag } }
    func text(_ name: String) -> String? {
        for parameter in parameters where parameter.name == name { if case .text(let text) = parameter.value { return text } }
        return nil
    }
    var isOfRequest: Bool { has("req") }
    var isDerived: Bool { name.hasPrefix("@") }
    /// Whether the component describes the body.
    var describesBody: Bool { !isOfRequest && (name.hasPrefix("content-")) }

    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.parameters.count == right.parameters.count
            && left.parameters.allSatisfy { one in right.parameters.contains { $0 == one } }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension MessageComponent {
    private static let flags: Set<String> = ["sf", "bs", "req", "tr"]

    /// Creates a component from an identifier of a Signature-Input field; `nil` for an unknown or unsuitable parameter,
    /// which a verifier must refuse (§2.5).
    init?(_ item: Item) {
        guard let name = item.rfc9651BareItem.string, !name.isEmpty, name == name.lowercased() else { return nil }
        self.init(name)
        let own = name == "@query-param" ? "name" : "key"
        for (name, value) in item.rfc9651Parameters {
            switch value {
            case .bool(true) where Self.flags.contains(name): parameters.append((name, .flag))
            case .string(let text) where name == own: parameters.append((name, .text(text)))
            default: return nil
            }
        }
    }

    /// The identifier for Signature-Input.
    var item: Item {
        var map: StructuredField.Parameters = [:]
        for parameter in parameters {
            switch parameter.value {
            case .flag: map[parameter.name] = .bool(true)
            case .text(let text): map[parameter.name] = .string(text)
            }
        }
        return Item(bareItem: .string(name), parameters: map)
    }
}

extension MessageComponent: CustomStringConvertible {
    /// The identifier as in a Signature-Input field: `"@query-param";name="id"`.
    public var description: String { (try? StructuredField.text(item)) ?? "\"\(name)\"" }
}

extension [MessageComponent] {
    /// Method, authority, path, query, Content-Type and Content-Digest, which identify a request. The components of the
    /// body are left out if there is none.
    public static var standardRequest: [MessageComponent] { [.method, .authority, .path, .query, .contentType, .contentDigest] }
}
#endif
