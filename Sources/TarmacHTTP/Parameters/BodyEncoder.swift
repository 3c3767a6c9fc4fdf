#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// Encodes parameters and models as a JSON request body.
public struct BodyEncoder: Sendable, CustomStringConvertible {
    public let description: String
    /// The encoding closure. `nil` if the parameters write their own JSON.
    private let encoding: (@Sendable (any Encodable) throws -> Bytes)?

    private init(name: String, encoding: (@Sendable (any Encodable) throws -> Bytes)?) {
        description = name
        self.encoding = encoding
    }

    /// Makes a custom encoder. It receives the parameters as one `Encodable` object.
    ///
    /// - Parameters:
    ///   - name: the name in `explain` and errors.
    ///   - encode: returns the text of the body. A `TarmacError` that it throws is passed on. Any other error becomes
    ///     the cause of a `TarmacError(.invalidParameter)`. Nothing is sent then.
    public init(name: String, _ encode: @escaping @Sendable (any Encodable) throws -> Bytes) {
        self.init(name: name, encoding: encode)
    }

    /// The encoder of Tarmac: it keeps the order of members, writes numbers in their shortest form, and dates
    /// as `query.dates` states.
    public static let tarmac = BodyEncoder(name: "Tarmac", encoding: nil)

    /// Returns an encoder that uses TarmacJSON with the given strategies.
    public static func json(_ encoder: TarmacJSONEncoder) -> BodyEncoder {
        BodyEncoder(name: "TarmacJSON") { Bytes(try encoder.encodeBytes($0)) }
    }

    /// Returns an encoder that uses the encoder of Foundation with its strategies.
    ///
    /// - Parameter encoder: the encoder. Do not change it afterwards.
    public static func foundation(_ encoder: JSONEncoder) -> BodyEncoder {
        BodyEncoder(name: "JSONEncoder") { Bytes(try encoder.encode($0)) }
    }

    package func encode(_ value: ParameterValue, dates: ParameterDateStrategy) throws(TarmacError) -> Bytes {
        guard let encoding else { return Bytes(try value.json(dates: dates)) }
        do { return try encoding(value) } catch { throw failure(error) }
    }

    func encode(_ value: some Encodable) throws(TarmacError) -> Bytes {
        guard let encoding else { return Bytes(try ParameterEncoder().value(of: value).json()) }
        do { return try encoding(value) } catch { throw failure(error) }
    }

    /// The error omits the description of its cause, which may hold a value that is a secret.
    private func failure(_ error: any Error) -> TarmacError {
        if let error = error as? TarmacError { return error }
        return TarmacError(.invalidParameter, "the body cannot be encoded: \(description) threw \(type(of: error))", cause: error)
    }
}
