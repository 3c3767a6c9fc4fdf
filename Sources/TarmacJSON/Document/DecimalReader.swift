#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Decimal` from a number's text: exactly that number, or nil.
enum DecimalReader {
    /// More digits than any `Decimal` has.
    private static let mostDigits = 39

    /// Nil where `Decimal` would drop digits: beyond 38 digits (39 up to 2¹²⁸), or an exponent out of −128…127.
    static func decimal(_ text: Span<UInt8>) -> Decimal? {
        let parts = NumberParts(text)
        guard let (digits, exponent) = parts.significand else { return 0 }
        guard digits.count <= mostDigits, exponent >= -128, let significand = integer(digits) else { return nil }
        let value = Decimal(sign: parts.isNegative ? .minus : .plus, exponent: exponent, significand: significand)
        // What Foundation made is taken apart again: it drops digits without a word.
        guard value.isFinite, value.description.withText({ NumberParts($0) }) == parts else { return nil }
        return value
    }

    private static func integer(_ digits: [UInt8]) -> Decimal? {
        var value = Decimal(0)
        for start in stride(from: 0, to: digits.count, by: 18) {
            let group = digits[start..<min(start + 18, digits.count)]
            let low = group.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
            value = Decimal(sign: .plus, exponent: group.count, significand: value) + Decimal(low)
        }
        return value.isFinite ? value : nil
    }
}
