import Foundation

#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

extension CoderStrategies {
    func decoders(_ plans: PlanStack) -> (here: TarmacJSONDecoder, there: JSONDecoder) {
        var here = TarmacJSONDecoder()
        let there = JSONDecoder()
        here.userInfo[.plans] = plans
        there.userInfo[.plans] = plans
        switch keys {
        case .standard: break
        case .snake: (here.keyDecodingStrategy, there.keyDecodingStrategy) = (.convertFromSnakeCase, .convertFromSnakeCase)
        case .custom: (here.keyDecodingStrategy, there.keyDecodingStrategy) = (.custom(Self.readKey), .custom(Self.readKey))
        }
        switch dates {
        case .deferred: break
        case .seconds: (here.dateDecodingStrategy, there.dateDecodingStrategy) = (.secondsSince1970, .secondsSince1970)
        case .milliseconds: (here.dateDecodingStrategy, there.dateDecodingStrategy) = (.millisecondsSince1970, .millisecondsSince1970)
        case .iso8601: (here.dateDecodingStrategy, there.dateDecodingStrategy) = (.iso8601, .iso8601)
        case .formatted: (here.dateDecodingStrategy, there.dateDecodingStrategy) = (.formatted(Self.formatter), .formatted(Self.formatter))
        case .custom: (here.dateDecodingStrategy, there.dateDecodingStrategy) = (.custom(Self.readDate), .custom(Self.readDate))
        }
        switch bytes {
        case .base64: break
        case .deferred: (here.dataDecodingStrategy, there.dataDecodingStrategy) = (.deferredToData, .deferredToData)
        case .custom: (here.dataDecodingStrategy, there.dataDecodingStrategy) = (.custom(Self.readBytes), .custom(Self.readBytes))
        }
        if floats == .strings {
            here.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity, nan: Self.nan)
            there.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity, nan: Self.nan)
        }
        return (here, there)
    }

    /// Sorted, because Foundation's order is random otherwise.
    func encoders() -> (here: TarmacJSONEncoder, there: JSONEncoder) {
        var here = TarmacJSONEncoder()
        let there = JSONEncoder()
        here.outputFormatting = .sortedKeys
        there.outputFormatting = .sortedKeys
        if isPretty {
            here.outputFormatting.insert(.prettyPrinted)
            there.outputFormatting.insert(.prettyPrinted)
        }
        if !escapesSlashes {
            here.outputFormatting.insert(.withoutEscapingSlashes)
            there.outputFormatting.insert(.withoutEscapingSlashes)
        }
        switch keys {
        case .standard: break
        case .snake: (here.keyEncodingStrategy, there.keyEncodingStrategy) = (.convertToSnakeCase, .convertToSnakeCase)
        case .custom: (here.keyEncodingStrategy, there.keyEncodingStrategy) = (.custom(Self.writtenKey), .custom(Self.writtenKey))
        }
        switch dates {
        case .deferred: break
        case .seconds: (here.dateEncodingStrategy, there.dateEncodingStrategy) = (.secondsSince1970, .secondsSince1970)
        case .milliseconds: (here.dateEncodingStrategy, there.dateEncodingStrategy) = (.millisecondsSince1970, .millisecondsSince1970)
        case .iso8601: (here.dateEncodingStrategy, there.dateEncodingStrategy) = (.iso8601, .iso8601)
        case .formatted: (here.dateEncodingStrategy, there.dateEncodingStrategy) = (.formatted(Self.formatter), .formatted(Self.formatter))
        case .custom:
            here.dateEncodingStrategy = .custom { try Self.write($0, $1) }
            there.dateEncodingStrategy = .custom { try Self.write($0, $1) }
        }
        switch bytes {
        case .base64: break
        case .deferred: (here.dataEncodingStrategy, there.dataEncodingStrategy) = (.deferredToData, .deferredToData)
        case .custom:
            here.dataEncodingStrategy = .custom { try Self.write($0, $1) }
            there.dataEncodingStrategy = .custom { try Self.write($0, $1) }
        }
        if floats == .strings {
            here.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity, nan: Self.nan)
            there.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: Self.infinity, negativeInfinity: Self.minusInfinity, nan: Self.nan)
        }
        return (here, there)
    }
}
