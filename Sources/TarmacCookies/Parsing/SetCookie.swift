#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One Set-Cookie field as it is written, nothing judged yet (RFC 6265bis §5.6).
struct SetCookie {
    var name: String
    var value: String
    /// Without its leading dot, lower-cased; `nil` when the field names none, empty when it names an empty one.
    var domain: String?
    /// `nil` for the default path.
    var path: String?
    var expires: Date?
    /// In seconds; it wins over ``expires``.
    var maxAge: Int?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = SameSite.unspecified

    private static let pairLimit = 4_096
    private static let attributeLimit = 1_024

    /// `nil` for a field that sets no cookie.
    init?(_ field: String) {
        let bytes = Array(field.utf8)
        // Controls but the tab end it all.
        if bytes.contains(where: { $0 <= 0x08 || (0x0A...0x1F).contains($0) || $0 == 0x7F }) { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = parts.first ?? []
        let (first, second) = Self.halves(pair)
        // Without an equals sign all of it is the value.
        let (nameBytes, valueBytes) = second.map { (first, $0) } ?? ([], first)
        guard nameBytes.count + valueBytes.count <= Self.pairLimit, !(nameBytes.isEmpty && valueBytes.isEmpty) else { return nil }
        name = Self.text(nameBytes)
        value = Self.text(valueBytes)
        for attribute in parts.dropFirst() { take(attribute) }
    }

    /// The last of several attributes of one name counts, unless it is not understood.
    private mutating func take(_ attribute: ArraySlice<UInt8>) {
        let (nameBytes, valueBytes) = Self.halves(attribute)
        let value = valueBytes ?? []
        guard value.count <= Self.attributeLimit else { return }
        switch Self.text(nameBytes).lowercased() {
        case "expires": expires = CookieDate.parse(value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain": domain = Self.text(value.first == UInt8(ascii: ".") ? value.dropFirst() : value).lowercased()
        case "path": path = value.first == UInt8(ascii: "/") ? Self.text(value) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = SameSite(rawValue: Self.text(value).lowercased()) ?? .unspecified
        default: break
        }
    }

    /// What stands before and after the first equals sign, each without the blanks around it.
    private static func halves(_ text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(text), nil) }
        return (trimmed(text[..<sign]), trimmed(text[(sign + 1)...]))
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = text.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
    }

    /// Digits, perhaps after a minus; more of them than a number holds are as many as it holds.
    private static func seconds(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return isNegative ? 0 : Int(Self.text(digits)) ?? .max
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
