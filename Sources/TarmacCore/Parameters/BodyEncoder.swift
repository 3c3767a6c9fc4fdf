#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// What turns parameters and models into a JSON request body.
public struct BodyEncoder: Sendable, CustomStringConvertible {
    public let description: String
    /// `nil`: the parameters write themselves.
    private let encoding: (@Sendable (any Encodable) throws -> Bytes)?

    private init(name: String, encoding: (@Sendable (any Encodable) throws -> Bytes)?) {
        description = name
        self.encoding = encoding
    }

    /// An encoder of one's own; it sees the parameters as one `Encodable` object.
    ///
    /// - Parameters:
    ///   - name: what `explain` and errors call it.
    ///   - encode: makes the body's text; what it throws becomes `TarmacError(.invalidParameter)`, and nothing is sent.
    public init(name: String, _ encode: @escaping @Sendable (any Encodable) throws -> Bytes) {
        self.init(name: name, encoding: encode)
    }

    /// Tarmac's own: members in their order, numbers as short as they can be, dates as `query.dates` says.
    public static let tarmac = BodyEncoder(name: "Tarmac", encoding: nil)

    /// TarmacJSON with strategies of one's own.
    public static func json(_ encoder: TarmacJSONEncoder) -> BodyEncoder {
        BodyEncoder(name: "TarmacJSON") { Bytes(try encoder.encodeBytes($0)) }
    }

    /// Foundation's encoder with its strategies.
    ///
    /// - Parameter encoder: must not be changed afterwards.
    public static func foundation(_ encoder: JSONEncoder) -> BodyEncoder {
        BodyEncoder(name: "JSONEncoder") { Bytes(try encoder.encode($0)) }
    }

    func encode(_ value: ParameterValue, dates: ParameterDateStrategy) throws(TarmacError) -> Bytes {
        guard let encoding else { return Bytes(try value.json(dates: dates)) }
        do { return try encoding(value) } catch { throw failure(error) }
    }

    func encode(_ value: some Encodable) throws(TarmacError) -> Bytes {
        guard let encoding else { return Bytes(try ParameterEncoder().value(of: value).json()) }
        do { return try encoding(value) } catch { throw failure(error) }
    }

    /// The cause's own words may hold a value, and the value may be a secret.
    private func failure(_ error: any Error) -> TarmacError {
        if let error = error as? TarmacError { return error }
        return TarmacError(.invalidParameter, "the body cannot be encoded: \(description) threw \(type(of: error))", cause: error)
    }
}
