/// A JSON value: a place in a ``JSONDocument``, or a value built in code.
///
/// A place costs nothing until its content is read, a copy costs a reference, and the value keeps the document alive. A
/// missing value reads as nothing everywhere (``isMissing``), so that chains need no `?`. ``get(_:as:)`` throws an
/// error with the path instead.
///
/// ```swift
/// let json = try JSON(parsing: data)
/// json["status"] == 1
/// json.user.name.string                                // String?
/// try json.get("data", "items", 3, "id", as: Int.self) // throws JSONError naming $.data.items[3].id
/// for item in json["data"]["items"].elements { … }
/// var body: JSON = ["name": "ann", "tags": ["a", "b"]]
/// body["address"]["city"] = "Bern"
/// ```
@dynamicMemberLookup
public struct JSON: Sendable {
    enum Node: Sendable {
        /// The value at an index of a document's tape.
        case view(DocumentStorage, Int)
        case null
        case bool(Bool)
        case int(Int64)
        case uint(UInt64)
        case double(Double)
        /// A number as text, which is valid JSON.
        case number(String)
        case string(String)
        case array([JSON])
        case object(MemberList)
        /// A missing value: the read went beyond the existing values.
        case missing(MissingValue)
    }

    var node: Node

    init(_ node: Node) {
        self.node = node
    }

    init(_ storage: DocumentStorage, at index: Int) {
        node = .view(storage, index)
    }

    /// `null`.
    public static let null = JSON(.null)

    /// Creates the root of a document from `text`; see ``JSONDocument``.
    /// - Throws: ``JSONError``.
    public init(
        parsing text: String, options: JSONDocument.Options = JSONDocument.Options()
    ) throws(JSONError) {
        self = try JSONDocument(text, options: options).root
    }
}
