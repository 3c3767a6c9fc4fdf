/// How parameters become a body.
public enum BodyFormat: String, Sendable, CaseIterable {
    /// `application/json` (RFC 8259).
    case json
    /// `application/x-www-form-urlencoded`.
    case form
    /// `application/x-plist`: a property list in XML; values that are `nil` are left out.
    case propertyList
}
