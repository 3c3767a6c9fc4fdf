#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: DirectlyEncodable {
    func write(to context: EncodingContext) throws {
        let date = self
        switch context.settings.dateEncodingStrategy {
        case .deferredToDate: try context.write(floating: date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: try context.write(floating: date.timeIntervalSince1970)
        case .millisecondsSince1970: try context.write(floating: date.timeIntervalSince1970 * 1000)
        case .iso8601: context.write(string: date.formatted(Date.ISO8601FormatStyle()))
        case .custom(let encode): try context.write(date) { try encode(date, $0) }
        }
    }
}

extension Data: DirectlyEncodable {
    func write(to context: EncodingContext) throws {
        let data = self
        switch context.settings.dataEncodingStrategy {
        case .base64: context.write(string: data.base64EncodedString())
        case .deferredToData: try context.write(data) { try data.encode(to: $0) }
        case .custom(let encode): try context.write(data) { try encode(data, $0) }
        }
    }
}

extension URL: DirectlyEncodable {
    func write(to context: EncodingContext) throws {
        context.write(string: absoluteString)
    }
}

extension Decimal: DirectlyEncodable {
    func write(to context: EncodingContext) throws {
        let number = self
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number,
                .init(codingPath: context.writingPath, debugDescription: "Unable to encode Decimal.nan directly in JSON."))
        }
        context.output.append(number.description)
    }
}
