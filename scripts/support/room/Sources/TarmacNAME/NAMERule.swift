import HTTPTypes
public import TarmacCore

/// The text that calls send in the header field `Tarmac-__NAME__`.
///
/// ```swift
/// options.__name__ = .text("blue")
/// ```
public struct __NAME__Rule: Sendable, Hashable, MaskedReflectable {
    let text: String?

    /// No field is sent.
    public static let off = __NAME__Rule(text: nil)

    /// The field is sent with a text. A call with a text that no header field can carry fails before it is sent.
    public static func text(_ text: String) -> __NAME__Rule { __NAME__Rule(text: text) }

    /// The kind, never the text, which may be a secret.
    public var description: String { isOff ? "off" : "text" }

    var isOff: Bool { text == nil }

    /// The reason the rule is invalid, or `nil` if it is valid.
    var fault: String? {
        guard let text else { return nil }
        return !text.isEmpty && HTTPField.isValidValue(text) ? nil : "a header field cannot carry the text"
    }
}
