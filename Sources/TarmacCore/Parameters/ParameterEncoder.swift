/// Turns any `Encodable` into parameters, without a detour through JSON or reflection.
///
/// - Fields come in the order they are encoded in; members of a dictionary by name, so that the same call is the same
///   request twice.
/// - `super.encode(to: container.superEncoder())` adds the superclass's fields to those of the subclass.
/// - A field that is encoded twice has its last value.
/// - `encodeNil` is ``ParameterValue/null``; a `nil` optional of a synthesized `encode(to:)` is absent.
/// - `@Path`, `@Query`, `@Header` and `@WholeBody` fields of a nested value become parameters of the call.
///
/// Numbers that are not finite, more than ``depthLimit`` levels and whatever a type's own `encode(to:)` throws are
/// `TarmacError(.invalidParameter)` naming the path.
public struct ParameterEncoder: Sendable {
    /// How many levels values may be nested: 128. A recursive value is refused there instead of exhausting the stack.
    public static let depthLimit = 128

    public init() {}

    /// The parameters of a value that encodes as an object.
    public func encode(_ value: some Encodable) throws(TarmacError) -> ParameterList {
        let node = ParameterNode()
        return ParameterList(try Self.translating { try node.encodeRoot(value) })
    }

    /// One value of any kind.
    public func value(of value: some Encodable) throws(TarmacError) -> ParameterValue {
        let node = ParameterNode()
        return try Self.translating { try node.encodeLone(value) }
    }

    /// One named value, with the placement its wrapper says; nothing for an absent optional, more than one where the
    /// value holds placed fields.
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
        // The cause's own text may hold the value, and the value may be a secret.
        return ParameterFault(path, "its encode(to:) threw \(type(of: error))").error(cause: error)
    }
}
