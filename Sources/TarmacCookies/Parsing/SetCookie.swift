#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A Set-Cookie field as written, without any checks (RFC 6265bis §5.6).
struct SetCookie {
    var name: String
    var value: String
    /// The domain without its leading dot, in lower case. `nil` if the field has none, empty if it has an empty one.
    var domain: String?
    /// The path. `nil` for the default path.
    var path: String?
    var expires: Date?
    /// The lifetime in seconds. It takes precedence over ``expires``.
    var maxAge: Int?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = SameSite.unspecified

    private static let pairLimit = 4_096
    private static let attributeLimit = 1_024

    /// Parses a field, or returns `nil` if it sets no cookie.
    init?(_ field: String) {
        let bytes = Array(field.utf8)
        // A control character other than the tab invalidates the field.
        if bytes.contains(where: { $0 <= 0x08 || (0x0A...0x1F).contains($0) || $0 == 0x7F }) { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = parts.first ?? []
        let (first, second) = Self.halves(pair)
        // Without an equals sign, the whole text is the value.
        let (nameBytes, valueBytes) = second.map { (first, $0) } ?? ([], first)
        guard nameBytes.count + valueBytes.count <= Self.pairLimit, !(nameBytes.isEmpty && valueBytes.isEmpty) else { return nil }
        name = Self.text(nameBytes)
        value = Self.text(valueBytes)
        for attribute in parts.dropFirst() { take(attribute) }
    }

    /// Reads an attribute. The last valid one of several with the same name counts.
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

    /// Returns the texts before and after the first equals sign, without surrounding blanks.
    private static func halves(_ text: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(text), nil) }
        return (trimmed(text[..<sign]), trimmed(text[(sign + 1)...]))
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = text.drop(while: isBlank)
        return start.prefix((start.lastIndex { !isBlank($0) } ?? start.startIndex - 1) + 1 - start.startIndex)
    }

    /// Returns digits, with an optional minus, as a number. A number that is too large is limited to the largest one.
    private static func seconds(_ text: ArraySlice<UInt8>) -> Int? {
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return isNegative ? 0 : Int(Self.text(digits)) ?? .max
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
