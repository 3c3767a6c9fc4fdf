public import TarmacJSON

extension Body {
    /// Returns a body that holds a value as `application/json`.
    ///
    /// ```swift
    /// func body() throws -> Body? { try .json(order, encoder: .foundation(encoder)) }
    /// ```
    /// The default encoder, ``BodyEncoder/tarmac``, also encodes the parameters of a call.
    ///
    /// - Throws: `TarmacError(.invalidParameter)`.
    public static func json(_ value: some Encodable, encoder: BodyEncoder = .tarmac) throws(TarmacError) -> Body {
        .bytes(try encoder.encode(value), contentType: "application/json")
    }

    /// Returns a body that holds a JSON value as `application/json`. Parts that come from a parsed document
    /// keep their text.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` for a number that is not finite and for a missing value.
    public static func json(_ json: JSON) throws(TarmacError) -> Body {
        do {
            return .bytes(Bytes(try json.bytes()), contentType: "application/json")
        } catch {
            throw TarmacError(.invalidParameter, "the body is not JSON: \(error.code)", cause: error, path: error.path.description)
        }
    }
}
