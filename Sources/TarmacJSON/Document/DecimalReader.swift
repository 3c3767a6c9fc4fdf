#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `Decimal` from a number's text.
enum DecimalReader {
    /// Nil beyond `Decimal`'s range; digits after the 38th are rounded by Foundation.
    static func decimal(_ text: String) -> Decimal? {
        // `Decimal(string:)` reads a prefix and knows no locale here; the text is valid JSON already.
        guard let value = Decimal(string: text), !value.isNaN else { return nil }
        return value
    }
}
