import Foundation

#if canImport(TarmacJSON)
@testable import TarmacJSON
#endif

/// The rows of the table in Documentation/JSON.md by which one coder may accept what the other refuses.
enum DocumentedDifference: String, CaseIterable {
    case otherEncoding, trailingComma, faultInUnreadMember, numberTooSmall, integerBeyondDouble, decimalRounded, repeatedKey

    /// Why Foundation may accept what is refused here.
    static func refusedHere(_ error: any Error, _ plan: TypePlan, _ text: Data, _ strategies: CoderStrategies) -> DocumentedDifference? {
        guard let error = error as? JSONError else { return ofValues(plan, text, strategies) }
        switch error.code {
        case .byteOrderMark: return .otherEncoding
        case .unexpectedCharacter where text.first == 0 || text.dropFirst().first == 0: return .otherEncoding
        case .unexpectedCharacter where isTrailingComma(error, text): return .trailingComma
        case .invalidNumber, .invalidEscape, .controlCharacter, .loneSurrogate, .invalidUTF8, .unexpectedCharacter, .unexpectedEnd, .trailingContent:
            // What reads all of it is refused by Foundation too.
            return (try? JSONSerialization.jsonObject(with: text, options: .fragmentsAllowed)) == nil ? .faultInUnreadMember : nil
        default: return nil
        }
    }

    /// Why a text that both understand may differ in values: it no longer does once the cause is taken out of the text.
    static func ofValues(_ plan: TypePlan, _ data: Data, _ strategies: CoderStrategies) -> DocumentedDifference? {
        let text = String(decoding: data, as: UTF8.self)
        // Zeros with an exponent are too small to Foundation as well.
        let large = text.replacing(/(^|[\[:,\s])(-?[0-9]+(\.[0-9]+)?[eE][-+]?[0-9]+)/) { Float($0.2) == 0 ? $0.1 + "0" : $0.0 }
        if large != text, agree(plan, Data(large.utf8), strategies) { return .numberTooSmall }
        let whole = large.replacing(/([0-9]+)\.([0-9]+)/) { $0.1.count + $0.2.count > 15 ? $0.1 : $0.0 }
        if whole != large, agree(plan, Data(whole.utf8), strategies) { return .integerBeyondDouble }
        let short = whole.replacing(/(^|[\[:,\s])(-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?)/) { hasDecimal(String($0.2)) ? $0.0 : $0.1 + "0" }
        if short != whole, agree(plan, Data(short.utf8), strategies) { return .decimalRounded }
        // Under a key strategy Foundation reads the later values of a dictionary's keys.
        if strategies.keys == .standard { return nil }
        if let once = try? JSON(parsing: Data(whole.utf8)).withoutRepeatedKeys.bytes(), agree(plan, Data(once), strategies) { return .repeatedKey }
        return nil
    }

    /// Whether a `Decimal` can be all of it: not more than 38 digits, not too large or small.
    private static func hasDecimal(_ number: String) -> Bool {
        let parts = number.lowercased().split(separator: "e")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? .max : 0
        return parts[0].filter(\.isNumber).count <= 38 && exponent.magnitude < 80
    }

    private static func agree(_ plan: TypePlan, _ text: Data, _ strategies: CoderStrategies) -> Bool {
        let plans = PlanStack()
        let (mine, theirs) = strategies.decoders(plans)
        let here = try? plans.with(plan) { try mine.decode(PlannedValue.self, from: text) }
        let there = try? plans.with(plan) { try theirs.decode(PlannedValue.self, from: text) }
        return here?.content == there?.content && (here == nil) == (there == nil)
    }

    private static func isTrailingComma(_ error: JSONError, _ text: Data) -> Bool {
        guard let offset = error.offset, offset < text.count else { return false }
        let place = text.startIndex + offset
        guard text[place] == UInt8(ascii: "]") || text[place] == UInt8(ascii: "}") else { return false }
        return text[..<place].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ",")
    }
}

extension Data {
    fileprivate func contains(_ pattern: Regex<Substring>) -> Bool { String(decoding: self, as: UTF8.self).contains(pattern) }
}

extension JSON {
    /// The first of equal keys alone.
    fileprivate var withoutRepeatedKeys: JSON {
        switch kind {
        case .array: JSON(elements.map(\.withoutRepeatedKeys))
        case .object: members.reduce(into: [:]) { if $0[$1.key].isMissing { $0[$1.key] = $1.value.withoutRepeatedKeys } }
        default: self
        }
    }
}
