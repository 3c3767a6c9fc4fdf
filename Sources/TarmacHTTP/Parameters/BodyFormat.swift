/// A format for the body that holds the parameters of a call.
///
/// ```swift
/// try await client.post("/users", ["name": "ann"]) { $0.bodyFormat = .form }
/// ```
public struct BodyFormat: Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable {
        case json, form
        case custom(CustomBodyFormat)
    }
    package let kind: Kind

    /// `application/json` (RFC 8259).
    public static let json = BodyFormat(kind: .json)
    /// `application/x-www-form-urlencoded`.
    public static let form = BodyFormat(kind: .form)

    private init(kind: Kind) { self.kind = kind }

    /// Makes a format that a module adds.
    ///
    /// - Parameters:
    ///   - name: the name that `explain` shows. Two formats with the same name are equal.
    ///   - isForm: whether the body is an encoded form, whose fields can be parts beside files. Default: `false`.
    ///   - write: makes the body from the parameters, or from the one value that is the whole body.
    package init(name: String, isForm: Bool = false, _ write: @escaping @Sendable (ParameterValue) throws(TarmacError) -> Body) {
        self.init(kind: .custom(CustomBodyFormat(name: name, isForm: isForm, write: write)))
    }

    /// The name that `explain` shows.
    public var description: String {
        switch kind {
        case .json: "json"
        case .form: "form"
        case .custom(let format): format.name
        }
    }

    package var isForm: Bool { if case .form = kind { true } else { false } }

    public static func == (left: BodyFormat, right: BodyFormat) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// A format that a module adds. It is a class, so that the settings of a call hold one reference.
package final class CustomBodyFormat: Sendable {
    let name: String
    package let isForm: Bool
    package let write: @Sendable (ParameterValue) throws(TarmacError) -> Body

    init(name: String, isForm: Bool, write: @escaping @Sendable (ParameterValue) throws(TarmacError) -> Body) {
        self.name = name
        self.isForm = isForm
        self.write = write
    }
}
