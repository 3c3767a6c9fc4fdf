#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

/// What turns a payload into a `Decodable` value.
public struct BodyDecoder: Sendable, CustomStringConvertible {
    public let description: String
    /// Whether it reads ``Payload/json``: then the verdict parses the body, once for all who need it.
    let readsJSON: Bool
    /// The media types it reads.
    let accepts: AcceptableContentTypes
    private let decoding: @Sendable (any Decodable.Type, Payload) throws -> any Decodable

    /// A decoder of one's own, for XML, property lists or another JSON coder.
    ///
    /// - Parameters:
    ///   - name: what `explain` and errors call it.
    ///   - readsJSON: whether it reads ``Payload/json``, so that a body which is not JSON is an error of its own.
    ///     Default `false`.
    ///   - accepts: the media types it reads; with others than JSON, envelope and shape are not looked at. Default: JSON.
    ///   - decode: makes the value; what it throws becomes `TarmacError(.decodingFailed)`.
    public init(
        name: String, readsJSON: Bool = false, accepts: AcceptableContentTypes = .json,
        _ decode: @escaping @Sendable (any Decodable.Type, Payload) throws -> any Decodable
    ) {
        description = name
        self.readsJSON = readsJSON
        self.accepts = accepts
        decoding = decode
    }

    /// TarmacJSON with its standard strategies.
    public static let tarmac = BodyDecoder.json(TarmacJSONDecoder())

    /// TarmacJSON with strategies of one's own.
    public static func json(_ decoder: TarmacJSONDecoder) -> BodyDecoder {
        BodyDecoder(name: "TarmacJSON", readsJSON: true) { type, payload in try decoder.decode(type, from: payload.json) }
    }

    /// Foundation's decoder: what it accepts and how it fails are Foundation's. Without envelope and shape it reads the
    /// body as it came; with one of them the body is parsed for that and the payload's text goes to the decoder.
    ///
    /// - Parameter decoder: must not be changed afterwards.
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
