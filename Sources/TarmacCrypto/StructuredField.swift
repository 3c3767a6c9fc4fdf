#if Crypto
import RawStructuredFieldValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Structured fields (RFC 9651) as text, based on Apple's parser and serializer.
enum StructuredField {
    typealias Dictionary = OrderedMap<String, ItemOrInnerList>
    typealias Parameters = OrderedMap<String, RFC9651BareItem>

    /// The longest text that is parsed, in bytes: enough for a chain of certificates, and quick to parse.
    static let lengthLimit = 16 * 1_024
    /// The largest number of commas and semicolons that is parsed. The parser searches each name among all earlier
    /// ones, and a signature may name 128 members, all before its signer is known.
    static let separatorLimit = 512

    struct TooLong: Error {}

    static func dictionary(_ text: String) throws -> Dictionary {
        var parser = try parser(text)
        return try parser.parseDictionaryFieldValue()
    }

    static func list(_ text: String) throws -> [ItemOrInnerList] {
        var parser = try parser(text)
        return try parser.parseListFieldValue()
    }

    static func item(_ text: String) throws -> Item {
        var parser = try parser(text)
        return try parser.parseItemFieldValue()
    }

    private static func parser(_ text: String) throws(TooLong) -> StructuredFieldValueParser<[UInt8]> {
        if isTooLong(text) { throw TooLong() }
        return StructuredFieldValueParser(Array(text.utf8))
    }

    static func isTooLong(_ text: String) -> Bool {
        if text.utf8.count > lengthLimit { return true }
        var separators = 0
        forEachByteOutsideStrings(of: text) { if $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") { separators += 1 } }
        return separators > separatorLimit
    }

    /// Returns the number of members in the text of a well-formed dictionary or list. The parser keeps the last of
    /// those with the same name (RFC 9651 §4.2.2).
    static func memberCount(_ text: String) -> Int {
        var (count, depth, isBlank) = (1, 0, true)
        forEachByteOutsideStrings(of: text) { byte in
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") { isBlank = false }
            switch byte {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: count += 1
            default: break
            }
        }
        return isBlank ? 0 : count
    }

    private enum Place { case outside, string, escape, displayString }

    /// Calls `tell` for each byte outside strings, and for the opening quote of each string.
    private static func forEachByteOutsideStrings(of text: String, _ tell: (UInt8) -> Void) {
        var (place, last) = (Place.outside, UInt8(0))
        for byte in text.utf8 {
            switch place {
            case .escape: place = .string
            case .string where byte == UInt8(ascii: "\\"): place = .escape
            case .string, .displayString: if byte == UInt8(ascii: "\"") { place = .outside }
            case .outside:
                tell(byte)
                // RFC 9651 §3.3.8: %"…" escapes with percent signs, and a backslash in it is literal.
                if byte == UInt8(ascii: "\"") { place = last == UInt8(ascii: "%") ? .displayString : .string }
            }
            last = byte
        }
    }

    static func text(_ dictionary: Dictionary) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeDictionaryFieldValue(dictionary), as: UTF8.self)
    }

    static func text(_ list: [ItemOrInnerList]) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeListFieldValue(list), as: UTF8.self)
    }

    static func text(_ item: Item) throws -> String {
        var serializer = StructuredFieldValueSerializer()
        return String(decoding: try serializer.writeItemFieldValue(item), as: UTF8.self)
    }

    static func text(_ member: ItemOrInnerList) throws -> String {
        switch member {
        case .item(let item): try text(item)
        case .innerList: try text([member])
        }
    }

    static func item(_ bare: RFC9651BareItem) -> ItemOrInnerList { .item(Item(bareItem: bare, parameters: [:])) }
    static func bytes(_ bytes: some Sequence<UInt8>) -> RFC9651BareItem { .undecodedByteSequence(Data(bytes).base64EncodedString()) }
}

extension ItemOrInnerList {
    var bare: RFC9651BareItem? { if case .item(let item) = self { item.rfc9651BareItem } else { nil } }
    var innerList: InnerList? { if case .innerList(let list) = self { list } else { nil } }
}

extension RFC9651BareItem {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var token: String? { if case .token(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var data: Data? { if case .undecodedByteSequence(let text) = self { Data(base64Encoded: text) } else { nil } }
}
#endif
