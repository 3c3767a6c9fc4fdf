#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// Decodes a payload into a `Decodable` value.
public struct BodyDecoder: Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the decoder reads ``Payload/json``. The verdict stage then parses the body once for all readers.
    package let readsJSON: Bool
    /// The media types that the decoder reads.
    package let accepts: AcceptableContentTypes
    private let decoding: @Sendable (any Decodable.Type, Payload) throws -> any Decodable

    /// Makes a custom decoder, for XML, property lists or another JSON coder.
    ///
    /// - Parameters:
    ///   - name: the name in `explain` and errors.
    ///   - readsJSON: whether the decoder reads ``Payload/json``, so that a body that is not JSON has an error
    ///     of its own. Default: `false`.
    ///   - accepts: the media types that the decoder reads. For types other than JSON, the envelope and the
    ///     shape are not checked. Default: JSON.
    ///   - decode: makes the value. A `TarmacError` that it throws is passed on. Any other error becomes the cause
    ///     of a `TarmacError(.decodingFailed)`.
    public init(
        name: String, readsJSON: Bool = false, accepts: AcceptableContentTypes = .json,
        _ decode: @escaping @Sendable (any Decodable.Type, Payload) throws -> any Decodable
    ) {
        description = name
        self.readsJSON = readsJSON
        self.accepts = accepts
        decoding = decode
    }

    /// The decoder of TarmacJSON with its standard strategies.
    public static let tarmac = BodyDecoder.json(TarmacJSONDecoder())

    /// Returns a decoder that uses TarmacJSON with the given strategies.
    public static func json(_ decoder: TarmacJSONDecoder) -> BodyDecoder {
        BodyDecoder(name: "TarmacJSON", readsJSON: true) { type, payload in try decoder.decode(type, from: payload.json) }
    }

    /// Returns a decoder that uses the decoder of Foundation, with its rules and errors.
    ///
    /// Without an envelope and a shape, it reads the body as received. With one of them, the body is parsed
    /// first, and the decoder reads the text of the payload.
    ///
    /// - Parameter decoder: the decoder. Do not change it afterwards.
    public static func foundation(_ decoder: JSONDecoder) -> BodyDecoder {
        BodyDecoder(name: "JSONDecoder") { type, payload in try decoder.decode(type, from: payload.jsonText) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from payload: Payload) throws -> Value {
        let decoded = try decoding(type, payload)
        guard let value = decoded as? Value else {
            throw TarmacError(.decodingFailed, phase: .decoding, "the decoder \(description) made no \(type)")
        }
        return value
    }
}
