public import TarmacJSON

/// What turns a payload into a `Decodable` value.
public struct BodyDecoder: Sendable, CustomStringConvertible {
    public let description: String
    private let decoding: @Sendable (any Decodable.Type, Payload) throws -> any Decodable

    /// A decoder of one's own, for XML, property lists or another JSON coder.
    public init(
        name: String, _ decode: @escaping @Sendable (any Decodable.Type, Payload) throws -> any Decodable
    ) {
        description = name
        decoding = decode
    }

    /// TarmacJSON with its standard strategies.
    public static let tarmac = BodyDecoder.json(TarmacJSONDecoder())

    /// TarmacJSON with strategies of one's own.
    public static func json(_ decoder: TarmacJSONDecoder) -> BodyDecoder {
        BodyDecoder(name: "TarmacJSON") { type, payload in try decoder.decode(type, from: payload.json) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from payload: Payload) throws -> Value {
        let decoded = try decoding(type, payload)
        guard let value = decoded as? Value else {
            throw TarmacError(.decodingFailed, phase: .decoding, "the decoder \(description) made no \(type)")
        }
        return value
    }
}
