#if Tools
import Foundation
import Tarmac
import TarmacJSON

/// A JSON number typed on the command line: sent with the value it was written with, or not at all.
enum NumberArgument {
    /// The first form that is written as the same number; `nil` when none can carry it.
    static func value(_ json: JSON) -> ParameterValue? {
        guard let written = json.numberText.flatMap({ WrittenNumber($0) }) else { return nil }
        return forms(json, written).first { isWritten($0, as: written) }
    }

    private static func forms(_ json: JSON, _ written: WrittenNumber) -> [ParameterValue] {
        // A decimal keeps 0.1 what it is; reading one takes time in proportion to its exponent.
        let decimal = written.fitsDecimal ? json.numberText.flatMap { Decimal(string: $0, locale: posix) } : nil
        return [json.int64.map { .int($0) }, json.uint64.map { .uint($0) }, decimal.map { .decimal($0) }, json.double.map { .double($0) }]
            .compactMap { $0 }
    }

    private static func isWritten(_ value: ParameterValue, as number: WrittenNumber) -> Bool {
        // A form that JSON does not have, such as infinity, is no form of any number.
        guard let bytes = try? value.json() else { return false }
        return WrittenNumber(String(decoding: bytes, as: UTF8.self)) == number
    }

    private static let posix = Locale(identifier: "en_US_POSIX")
}

/// The value of a JSON number (RFC 8259 §6), whatever its spelling: `1e2`, `100` and `100.0` are equal, `0` and
/// `-0` are not.
struct WrittenNumber: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; none at all for zero.
    private let digits: String
    /// The power of ten of the last digit.
    private let exponent: Int

    /// `nil` for an exponent no number type has.
    init?(_ text: String) {
        let lowered = text.lowercased()
        let parts = lowered.drop { $0 == "-" }.split(separator: "e", maxSplits: 1)
        let mantissa = parts.first?.split(separator: ".", maxSplits: 1) ?? []
        let fraction = mantissa.count > 1 ? String(mantissa[1]) : ""
        let significant = (mantissa.first.map(String.init) ?? "") + fraction
        let stripped = String(significant.drop { $0 == "0" }.reversed().drop { $0 == "0" }.reversed())
        let zeros = significant.reversed().prefix { $0 == "0" }.count
        isNegative = lowered.hasPrefix("-")
        digits = stripped
        guard !stripped.isEmpty else {
            exponent = 0
            return
        }
        guard let power = parts.count > 1 ? Int(parts[1]) : 0, abs(Double(power)) < 1e12 else { return nil }
        exponent = power - fraction.count + zeros
    }

    /// Whether `Decimal` may hold it: 38 digits, exponents from −128 to 127.
    var fitsDecimal: Bool { digits.count <= 39 && abs(exponent) <= 128 }
}
#endif
