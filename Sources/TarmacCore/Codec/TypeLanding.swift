#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacJSON

/// The way a value lands that is named by its type alone.
enum TypeLanding: Sendable {
    /// The body's bytes: `Data`.
    case bytes
    /// The body as text: `String`.
    case text
    /// The payload without a model: `JSON`.
    case json
    /// The payload, decoded: every other type.
    case decoded

    init<Value>(_ type: Value.Type) {
        self = if type == JSON.self { .json } else if type == Data.self { .bytes } else if type == String.self { .text } else { .decoded }
    }

    /// Whether the value is made of JSON, or of what the decoder reads in its place.
    var needsJSON: Bool { self == .json || self == .decoded }

    /// The media types the value can be made of.
    var accepts: AcceptableContentTypes {
        switch self {
        case .bytes, .text: .any
        case .json: .json
        case .decoded: .automatic
        }
    }

    /// The value of a payload. `type` is the one this landing was made with.
    func value<Value: Decodable>(of payload: Payload, as type: Value.Type) throws -> Value {
        switch self {
        case .bytes: if let data = payload.bytes.data as? Value { return data }
        case .text: if let text = try payload.text as? Value { return text }
        case .json: if let json = try payload.json as? Value { return json }
        case .decoded: break
        }
        return try payload.decode(type)
    }

    /// The value, or why there is none as it may leave Tarmac.
    func checkedValue<Value: Decodable>(of payload: Payload, as type: Value.Type) throws -> Value {
        do { return try value(of: payload, as: type) } catch { throw payload.landingFailure(error, as: type) }
    }
}

extension Payload {
    /// The error to throw for what a landing threw.
    func landingFailure(_ error: any Error, as type: Any.Type) -> any Error {
        if let error = error as? TarmacError { return error.response == nil ? error.with(response: snapshot) : error }
        if error is CancellationError { return error }
        return DecodingFailure.error(error, as: type).with(response: snapshot)
    }
}
