#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts the text of a number to exactly that `Decimal`, or nil.
enum DecimalReader {
    /// One digit more than a `Decimal` has.
    private static let mostDigits = 39

    /// Returns nil where `Decimal` would drop digits: beyond 38 digits (39 up to 2¹²⁸), or for an exponent outside
    /// −128…127.
    static func decimal(_ text: Span<UInt8>) -> Decimal? {
        let parts = NumberParts(text)
        guard var (digits, exponent) = parts.significand else { return 0 }
        // Trailing zeros can be digits as well: 10e127 is in range.
        while exponent > 127, digits.count < mostDigits - 1 {
            digits.append(0)
            exponent -= 1
        }
        guard digits.count <= mostDigits, -128...127 ~= exponent, let value = value(digits, exponent, parts.isNegative) else { return nil }
        // The result is compared with the text, because Foundation drops digits without an error.
        guard value.isFinite, value.description.withText({ NumberParts($0) }) == parts else { return nil }
        return value
    }

    private static func value(_ digits: [UInt8], _ exponent: Int64, _ isNegative: Bool) -> Decimal? {
        // Arithmetic drops trailing zeros, which the largest numbers need; parsing keeps them.
        guard digits.last != 0 else {
            return Decimal(string: (isNegative ? "-" : "") + digits.map(String.init).joined() + "e\(exponent)")
        }
        return integer(digits).map { Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: $0) }
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
