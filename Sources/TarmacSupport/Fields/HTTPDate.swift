/// A date of a header field (RFC 9110 §5.6.7) as seconds since 1970. The three forms are accepted, in any case.
package enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let longDays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// Returns the seconds since 1970, or `nil` if the text is not a date.
    ///
    /// - Parameter year: the current year, which decides the century of a year of two digits (RFC 9110 §5.6.7).
    package static func seconds(_ text: String, currentYear year: Int) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = DateScanner(bytes)
            scanner.skipBlanks()
            guard let day = scanner.letters() else { return nil }
            guard scanner.take(",") else { return days.contains(day) ? asctime(&scanner) : nil }
            if longDays.contains(day) { return rfc850(&scanner, now: year) }
            return days.contains(day) ? fixdate(&scanner) : nil
        }
    }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ scanner: inout DateScanner) -> Int64? {
        guard scanner.take(" "), let day = scanner.number(2), scanner.take(" "), let month = month(&scanner), scanner.take(" "),
            let year = scanner.number(4), scanner.take(" "), let time = time(&scanner), scanner.take(" "), scanner.letters() == "gmt", scanner.isAtEnd
        else { return nil }
        return seconds(year: year, month: month, day: day, time: time)
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ scanner: inout DateScanner, now: Int) -> Int64? {
        guard scanner.take(" "), let day = scanner.number(2), scanner.take("-"), let month = month(&scanner), scanner.take("-"),
            let short = scanner.number(2), scanner.take(" "), let time = time(&scanner), scanner.take(" "), scanner.letters() == "gmt", scanner.isAtEnd
        else { return nil }
        // A year of two digits that would be more than 50 years in the future belongs to the previous century.
        let year = now / 100 * 100 + short
        return seconds(year: year > now + 50 ? year - 100 : year, month: month, day: day, time: time)
    }

    /// Parses `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ scanner: inout DateScanner) -> Int64? {
        guard scanner.take(" "), let month = month(&scanner), scanner.take(" "), let day = scanner.take(" ") ? scanner.number(1) : scanner.number(2),
            scanner.take(" "), let time = time(&scanner), scanner.take(" "), let year = scanner.number(4), scanner.isAtEnd
        else { return nil }
        return seconds(year: year, month: month, day: day, time: time)
    }

    private static func month(_ scanner: inout DateScanner) -> Int? {
        scanner.letters().flatMap { months.firstIndex(of: $0) }.map { $0 + 1 }
    }

    private static func time(_ scanner: inout DateScanner) -> Int? {
        guard let hour = scanner.number(2), hour < 24, scanner.take(":"), let minute = scanner.number(2), minute < 60, scanner.take(":"),
            let second = scanner.number(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func seconds(year: Int, month: Int, day: Int, time: Int) -> Int64? {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let length = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
        guard (1...length).contains(day) else { return nil }
        // Int has 32 bits on some watches, where seconds would end in 2038.
        return Int64(days(year: year, month: month, day: day)) * 86_400 + Int64(time)
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar. Years start in March, so that the leap day
    /// is the last day.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// Returns a date in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`. A year outside 1 to 9999 becomes
    /// the nearest of these.
    package static func text(ofSecondsSince1970 seconds: Double) -> String {
        let whole = Int64(max(-62_135_596_800, min(253_402_300_799, seconds.rounded(.down)))), time = Int((whole % 86_400 + 86_400) % 86_400)
        let day = Int((whole - Int64(time)) / 86_400), (year, month, dayOfMonth) = date(ofDay: day)
        return String(unsafeUninitializedCapacity: 29) { buffer in
            var count = 0
            func write(_ bytes: some Sequence<UInt8>) {
                for byte in bytes {
                    buffer.initializeElement(at: count, to: byte)
                    count += 1
                }
            }
            func write(_ number: Int, _ separator: Unicode.Scalar) {
                write(CollectionOfOne(UInt8(number / 10 % 10) + 0x30))
                write(CollectionOfOne(UInt8(number % 10) + 0x30))
                write(CollectionOfOne(UInt8(ascii: separator)))
            }
            write(shownDays[((day + 4) % 7 + 7) % 7].utf8)
            write(dayOfMonth, " ")
            write(shownMonths[month - 1].utf8)
            write(CollectionOfOne(UInt8(year / 1000) + 0x30))
            write(CollectionOfOne(UInt8(year / 100 % 10) + 0x30))
            write(year % 100, " ")
            write(time / 3600, ":")
            write(time / 60 % 60, ":")
            write(time % 60, " ")
            write("GMT".utf8)
            return count
        }
    }

    private static let shownDays = ["Sun, ", "Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, "]
    private static let shownMonths = ["Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "]

    /// Returns the date of a day since 1970-01-01, for years after 0. Inverts ``days(year:month:day:)``.
    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468, era = shifted / 146_097, dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100), month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// Returns the year of an instant. It is exact to a day, which is enough to interpret two digits,
    /// and bounded, because a stored date may be anything.
    package static func year(ofSecondsSince1970 seconds: Double) -> Int { 1970 + Int(max(-1e6, min(1e6, seconds / 31_556_952))) }
}

/// Reads the parts of a date from left to right.
private struct DateScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var end: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        end = bytes.count
        while end > 0, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") { end -= 1 }
    }

    var isAtEnd: Bool { place == end }

    mutating func skipBlanks() {
        while place < end, bytes[place] == UInt8(ascii: " ") || bytes[place] == UInt8(ascii: "\t") { place += 1 }
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < end, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Reads a number of exactly `digits` digits that no other digit follows.
    mutating func number(_ digits: Int) -> Int? {
        var value = 0
        let start = place
        while place < end, (0x30...0x39).contains(bytes[place]), place - start <= digits {
            value = value * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        return place - start == digits ? value : nil
    }

    /// Reads letters and returns them in lower case. `nil` if there are none, or more than in the name of a
    /// day.
    mutating func letters() -> String? {
        let start = place
        while place < end, (0x41...0x5A).contains(bytes[place] & 0xDF), place - start <= 9 { place += 1 }
        if place == start { return nil }
        return String(decoding: bytes[start..<place].map { $0 | 0x20 }, as: UTF8.self)
    }
}
