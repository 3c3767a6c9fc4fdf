/// Parses the times of a certificate (RFC 5280 §4.1.2.5): UTCTime to 2049, GeneralizedTime after, always in UTC
/// and with seconds.
enum DERTime {
    /// Returns the two times of a Validity. `nil` if one is malformed or the end is before the start.
    static func validity(in bytes: [UInt8], _ range: Range<Int>) -> ClosedRange<Int64>? {
        var reader = DERReader(bytes, range)
        guard let first = reader.next(), let last = reader.next(), reader.isAtEnd,
            let start = seconds(bytes[first.content], tag: first.tag), let end = seconds(bytes[last.content], tag: last.tag), start <= end
        else { return nil }
        return start...end
    }

    static func seconds(_ text: ArraySlice<UInt8>, tag: UInt8) -> Int64? {
        let yearDigits = tag == DERReader.Tag.generalizedTime ? 4 : 2
        guard tag == DERReader.Tag.generalizedTime || tag == DERReader.Tag.utcTime, text.count == yearDigits + 11,
            text.last == UInt8(ascii: "Z"), text.dropLast().allSatisfy({ (48...57).contains($0) })
        else { return nil }
        let digits = text.dropLast().map { Int64($0) - 48 }
        let year = digits.prefix(yearDigits).reduce(0) { $0 * 10 + $1 }
        let rest = stride(from: yearDigits, to: digits.count, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
        // RFC 5280 §4.1.2.5.1: two digits mean a year from 1950 to 2049.
        return seconds(year: yearDigits == 4 ? year : year + (year < 50 ? 2_000 : 1_900), rest)
    }

    /// - Parameter rest: the month, day, hour, minute and second.
    private static func seconds(year: Int64, _ rest: [Int64]) -> Int64? {
        guard (1...12).contains(rest[0]), (1...31).contains(rest[1]), rest[2] < 24, rest[3] < 60, rest[4] < 60 else { return nil }
        return days(year: year, month: rest[0], day: rest[1]) * 86_400 + rest[2] * 3_600 + rest[3] * 60 + rest[4]
    }

    /// Returns the days since 1970 in the Gregorian calendar. Years start in March, so that the leap day is the
    /// last day.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        // Year 0 starts 719,468 days before 1970, counted from March.
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
