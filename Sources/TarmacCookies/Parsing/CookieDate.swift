#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacSupport

/// Dates in cookies, in every order and format that servers use (RFC 6265bis §5.1.1).
enum CookieDate {
    /// Returns the date, or `nil` if the text contains none.
    static func parse(_ text: some Sequence<UInt8>) -> Date? {
        var parts = Parts()
        for token in Array(text).split(whereSeparator: isDelimiter) { parts.take(token) }
        return parts.date
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The parts of a date. The first token of each kind counts.
    private struct Parts {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?

        mutating func take(_ token: ArraySlice<UInt8>) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = Self.number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = Self.number(token, digits: 2...4) {
                year = found
            }
        }

        var date: Date? {
            guard let time, let day, let month, var year else { return nil }
            if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
            guard year >= 1601, (1...CookieDate.days(in: month, year)).contains(day) else { return nil }
            guard time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
            let days = CookieDate.daysSince1970(year, month, day)
            return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(time.hour * 3_600 + time.minute * 60 + time.second))
        }

        /// Returns the number at the start of a token, which must not be followed by another digit.
        private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
            let leading = token.prefix { (48...57).contains($0) }
            guard digits.contains(leading.count) else { return nil }
            return leading.reduce(0) { $0 * 10 + Int($1 - 48) }
        }

        private static func time(_ token: ArraySlice<UInt8>) -> (Int, Int, Int)? {
            let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[0].allSatisfy(isDigit), fields[1].allSatisfy(isDigit),
                let hour = number(fields[0], digits: 1...2), let minute = number(fields[1], digits: 1...2),
                let second = number(fields[2], digits: 1...2)
            else { return nil }
            return (hour, minute, second)
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

        private static func month(_ token: ArraySlice<UInt8>) -> Int? {
            let name = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
            return names.firstIndex(of: name).map { $0 + 1 }
        }

        static let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    }

    /// Returns the format that servers should use (RFC 9110 §5.6.7).
    static func text(_ date: Date) -> String { HTTPDate.text(ofSecondsSince1970: date.timeIntervalSince1970) }

    private static func days(in month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days since 1970 in the Gregorian calendar, counted in years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let month = month <= 2 ? month + 9 : month - 3
        return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468
    }
}
