public import TarmacJSON

extension Body {
    /// A value as `application/json`.
    ///
    /// ```swift
    /// func body() throws -> Body? { try .json(order, encoder: .foundation(encoder)) }
    /// ```
    /// - Parameter encoder: what writes it. Default ``BodyEncoder/tarmac``: as the parameters of a call are written.
    /// - Throws: `TarmacError(.invalidParameter)`.
    public static func json(_ value: some Encodable, encoder: BodyEncoder = .tarmac) throws(TarmacError) -> Body {
        .bytes(try encoder.encode(value), contentType: "application/json")
    }

    /// JSON that was built or edited by hand, as `application/json`; what comes from a document keeps its text.
    /// - Throws: `TarmacError(.invalidParameter)` for a number that is not finite and a value that is missing.
    public static func json(_ json: JSON) throws(TarmacError) -> Body {
        do {
            return .bytes(Bytes(try json.bytes()), contentType: "application/json")
        } catch {
            throw TarmacError(.invalidParameter, "the body is not JSON: \(error.code)", cause: error, path: error.path.description)
        }
    }
}
