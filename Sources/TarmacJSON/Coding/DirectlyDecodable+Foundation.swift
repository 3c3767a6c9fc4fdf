#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        if context.isNull(index), !context.settings.dateDecodingStrategy.isCustom { throw context.mismatch(at: index, Date.self) }
        return try date(from: context, at: index)
    }

    private static func date(from context: DecodingContext, at index: Int) throws -> Date {
        switch context.settings.dateDecodingStrategy {
        case .deferredToDate: Date(timeIntervalSinceReferenceDate: try context.double(at: index))
        case .secondsSince1970: Date(timeIntervalSince1970: try context.double(at: index))
        case .millisecondsSince1970: Date(timeIntervalSince1970: try context.double(at: index) / 1000)
        case .iso8601: try iso8601(from: context, at: index)
        case .custom(let make): try context.located(at: index, as: Date.self) { try make($0) }
        }
    }

    private static func iso8601(from context: DecodingContext, at index: Int) throws -> Date {
        let text = try context.string(at: index)
        if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
        throw context.corrupted(at: index, "Expected date string to be ISO8601-formatted.", expected: "a date (RFC 3339)")
    }
}

extension TarmacJSONDecoder.DateDecodingStrategy {
    /// Whether a closure decides, also about `null`.
    fileprivate var isCustom: Bool { if case .custom = self { true } else { false } }
}

extension Data: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        try data(from: context, at: index)
    }

    private static func data(from context: DecodingContext, at index: Int) throws -> Data {
        switch context.settings.dataDecodingStrategy {
        case .deferredToData: return try context.located(at: index, as: Data.self) { try Data(from: $0) }
        case .custom(let make): return try context.located(at: index, as: Data.self) { try make($0) }
        case .base64:
            if context.isNull(index) { throw context.mismatch(at: index, Data.self) }
            guard let data = Data(base64Encoded: try context.string(at: index)) else {
                throw context.corrupted(at: index, "Encountered Data is not valid Base64.", expected: "Base64")
            }
            return data
        }
    }
}

extension URL: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        if context.isNull(index) { throw context.mismatch(at: index, URL.self) }
        guard let url = URL(string: try context.string(at: index)) else {
            throw context.corrupted(at: index, "Invalid URL string.", expected: "a URL")
        }
        return url
    }
}

extension Decimal: DirectlyDecodable {
    static func decode(from context: DecodingContext, at index: Int) throws -> Self {
        let word = context.tape[index]
        guard word.isNumber, let value = context.tape.withText(of: word, { DecimalReader.decimal($0) }) else {
            throw context.unfit(at: index, Decimal.self)
        }
        return value
    }
}
