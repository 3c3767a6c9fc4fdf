#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSON {
    /// The root of a document made from `data`; see ``JSONDocument``.
    /// - Throws: ``JSONError``.
    public init(
        parsing data: Data, options: JSONDocument.Options = JSONDocument.Options()
    ) throws(JSONError) {
        self = try JSONDocument(data, options: options).root
    }

    /// The value as JSON text in UTF-8.
    /// - Parameter options: default: compact, members in their order, slashes unescaped.
    /// - Throws: ``JSONError`` with `.notRepresentable` for a number that is not finite, `.missing` for a
    ///   value that is not there.
    public func data(_ options: WritingOptions = .withoutEscapingSlashes) throws(JSONError) -> Data {
        Data(try bytes(options))
    }

    /// The number with all its digits. One that is not finite can be held, but not written: ``bytes(_:)`` throws.
    public init(_ value: Decimal) {
        self.init(value.isFinite ? .number(value.description) : .double(.nan))
    }

    /// The number exactly; nil for other values and for numbers a `Decimal` cannot hold without rounding: more than 38
    /// digits (zeros at either end do not count), or beyond its range.
    public var decimal: Decimal? {
        numberText.flatMap { $0.withText { DecimalReader.decimal($0) } }
    }
}
