#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCallLog

/// A time of an archive in ISO 8601, as `2026-11-23T22:43:38.120Z` (pure).
enum HARDate {
    /// - Parameter milliseconds: the time since 1970. A time outside of the years 0001 to 9999 becomes the nearest one in them.
    static func text(_ milliseconds: Double) -> String {
        let milliseconds = Milliseconds.ofDate(milliseconds)
        let whole = (milliseconds / 1_000).rounded(.down), rest = min(max(Int(milliseconds - whole * 1_000), 0), 999)
        let text = Date(timeIntervalSince1970: whole).formatted(.iso8601)
        let digits = String(rest)
        return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// Returns the milliseconds since 1970, or `nil` if the text is no date with a time.
    static func milliseconds(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let date = try? Date.ISO8601FormatStyle().parse(String(decoding: bytes[..<19], as: UTF8.self) + "Z") else { return nil }
        var place = 19, fraction = 0.0, unit = 100.0
        if bytes[place] == UInt8(ascii: ".") {
            place += 1
            while place < bytes.count, (0x30...0x39).contains(bytes[place]) {
                fraction += Double(bytes[place] - 0x30) * unit
                unit /= 10
                place += 1
            }
        }
        guard let offset = minutes(bytes[place...]) else { return nil }
        return (date.timeIntervalSince1970 * 1_000 + fraction - Double(offset) * 60_000).rounded()
    }

    /// Returns the offset of a zone from UTC: `Z`, `+02:00` or `+0200`.
    private static func minutes(_ zone: ArraySlice<UInt8>) -> Int? {
        if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return 0 }
        guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }.map { Int($0) - 0x30 }
        guard digits.count == 4, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        return sign == UInt8(ascii: "-") ? -minutes : minutes
    }
}
