#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacJSON

/// The landing that the type of a value selects.
package enum TypeLanding: Sendable {
    /// The bytes of the body: `Data`.
    case bytes
    /// The body as text: `String`.
    case text
    /// The payload without a model: `JSON`.
    case json
    /// The decoded payload: every other type.
    case decoded

    package init<Value>(_ type: Value.Type) {
        self = if type == JSON.self { .json } else if type == Data.self { .bytes } else if type == String.self { .text } else { .decoded }
    }

    /// Whether the value is made from JSON, or from the format that the decoder reads instead.
    package var needsJSON: Bool { self == .json || self == .decoded }

    /// The media types that the value can be made from.
    package var accepts: AcceptableContentTypes {
        switch self {
        case .bytes, .text: .any
        case .json: .json
        case .decoded: .automatic
        }
    }

    /// Returns the value of a payload. `type` is the type that selected this landing.
    func value<Value: Decodable>(of payload: Payload, as type: Value.Type) throws -> Value {
        switch self {
        case .bytes: if let data = payload.bytes.data as? Value { return data }
        case .text: if let text = try payload.text as? Value { return text }
        case .json: if let json = try payload.json as? Value { return json }
        case .decoded: break
        }
        return try payload.decode(type)
    }

    /// Returns the value, or throws an error that Tarmac may pass to the caller.
    package func checkedValue<Value: Decodable>(of payload: Payload, as type: Value.Type) throws -> Value {
        do { return try value(of: payload, as: type) } catch { throw payload.landingFailure(error, as: type) }
    }
}

extension Payload {
    /// Returns the error to throw for an error of a landing.
    func landingFailure(_ error: any Error, as type: Any.Type) -> any Error {
        if let error = error as? TarmacError { return error.response == nil ? error.with(response: snapshot) : error }
        if error is CancellationError { return error }
        return DecodingFailure.error(error, as: type).with(response: snapshot)
    }
}
