/// Encodes any `Encodable` value as parameters, without an intermediate JSON text and without reflection.
///
/// - Fields keep the order in which they are encoded. Members of a dictionary are sorted by name, so that the
///   same call always makes the same request.
/// - `super.encode(to: container.superEncoder())` adds the fields of the superclass to those of the subclass.
/// - A field that is encoded twice has its last value.
/// - `encodeNil` encodes ``ParameterValue/null``. A synthesized `encode(to:)` omits an optional that is `nil`.
/// - `@Path`, `@Query`, `@Header` and `@WholeBody` fields of a nested value become parameters of the call.
///
/// A number that is not finite, more than ``depthLimit`` levels and an error of a type's own `encode(to:)`
/// cause `TarmacError(.invalidParameter)` with the path.
package struct ParameterEncoder: Sendable {
    /// The maximum number of nested levels: 128. It stops a recursive value before the stack is exhausted.
    package static let depthLimit = 128

    package init() {}

    /// Returns the parameters of a value that encodes as an object.
    package func encode(_ value: some Encodable) throws(TarmacError) -> ParameterList { try encode(value, isBody: false) }

    func encode(_ value: some Encodable, isBody: Bool) throws(TarmacError) -> ParameterList {
        let node = ParameterNode()
        return ParameterList(try Self.translating { try node.encodeRoot(value, isBody: isBody) })
    }

    /// Returns one value of any kind.
    package func value(of value: some Encodable) throws(TarmacError) -> ParameterValue {
        let node = ParameterNode()
        return try Self.translating { try node.encodeLone(value) }
    }

    /// Returns the parameters for one named value, with the placement of its wrapper. The result is empty for
    /// an absent optional, and has several elements if the value holds placed fields.
    func parameters(_ name: String, _ value: any Encodable) throws(TarmacError) -> [Parameter] {
        if let optional = value as? any AbsentParameter, optional.isAbsentParameter { return [] }
        let node = ParameterNode()
        return try Self.translating { try node.encodeMember(value, named: name) }
    }

    private static func translating<Result>(_ body: () throws -> Result) throws(TarmacError) -> Result {
        do {
            return try body()
        } catch {
            throw translate(error)
        }
    }

    private static func translate(_ error: any Error) -> TarmacError {
        if let error = error as? TarmacError { return error }
        if let fault = error as? ParameterFault { return fault.error }
        var path: [any CodingKey] = []
        if case EncodingError.invalidValue(_, let context)? = error as? EncodingError { path = context.codingPath }
        // The error omits the description of its cause, which may hold a value that is a secret.
        return ParameterFault(path, "its encode(to:) threw \(type(of: error))").error(cause: error)
    }
}
