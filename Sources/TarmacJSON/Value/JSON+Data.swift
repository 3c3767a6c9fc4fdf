#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
    /// Creates the root of a document from bytes, such as an array, a `Data` or a slice; see ``JSONDocument``. The first two are not copied.
    /// - Throws: ``JSONError``.
    public init<Source: Collection<UInt8>>(
        parsing bytes: Source, options: JSONDocument.Options = JSONDocument.Options()
    ) throws(JSONError) {
        if let data = bytes as? Data {
            self = try JSONDocument(data, options: options).root
        } else {
            self = try JSONDocument([UInt8](bytes), options: options).root
        }
    }

    /// Creates a number with all its digits. One that is not finite cannot be written: ``bytes(_:)`` throws.
    public init(_ value: Decimal) {
        self.init(value.isFinite ? .number(value.description) : .double(.nan))
    }

    /// The exact number; nil for other values, and for numbers that a `Decimal` cannot hold without rounding: more than
    /// 38 digits without leading and trailing zeros, or beyond its range.
    public var decimal: Decimal? {
        numberText.flatMap { $0.withText { DecimalReader.decimal($0) } }
    }
}
