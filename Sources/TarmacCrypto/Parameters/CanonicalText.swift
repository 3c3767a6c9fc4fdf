#if Crypto
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The text of parameter values for a signature (pure).
enum CanonicalText {
    /// Returns a string as it is, data in base64, and other values as JSON; `nil` for null.
    static func text(_ value: ParameterValue, dates: ParameterDateStrategy) throws(TarmacError) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .data(let data): return data.base64EncodedString()
        case .date:
            // A strategy writes a string or a number; the string has no characters that JSON escapes.
            let json = String(decoding: try value.json(dates: dates), as: UTF8.self)
            return json.hasPrefix("\"") ? String(json.dropFirst().dropLast()) : json
        default: return String(decoding: try value.json(dates: dates), as: UTF8.self)
        }
    }
}
#endif
