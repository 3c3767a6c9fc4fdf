/// A date of a header field (RFC 9110 §5.6.7), in any of its three forms, as seconds since 1970.
enum HTTPDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// `nil` when the text is no date.
    ///
    /// - Parameter year: the current year, which two digits are read against (RFC 9110 §5.6.7).
    static func seconds(_ text: String, currentYear year: Int) -> Int? {
        let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994.
        if words.count == 6, words[5] == "gmt" { return seconds(day: words[1], month: words[2], year: words[3], time: words[4], now: year) }
        if words.count == 5 { return seconds(day: words[2], month: words[1], year: words[4], time: words[3], now: year) }
        return nil
    }

    private static func seconds(day: String, month: String, year: String, time: String, now: Int) -> Int? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0[...], digits: 2...2) }
        guard let day = number(day[...], digits: 1...2), (1...31).contains(day), let month = months.firstIndex(of: month),
            let year = fullYear(year, now: now), clock.count == 3, let hour = clock[0], hour < 24, let minute = clock[1], minute < 60,
            let second = clock[2], second <= 60
        else { return nil }
        return days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Two digits that would be more than 50 years ahead are of the century before.
    private static func fullYear(_ text: String, now: Int) -> Int? {
        if let year = number(text[...], digits: 4...4) { return year }
        guard let short = number(text[...], digits: 2...2) else { return nil }
        let year = now / 100 * 100 + short
        return year > now + 50 ? year - 100 : year
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counted in years that begin with March, so that the leap day is last.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// The year of an instant, exact to a day, which is enough to read two digits against.
    static func year(ofSecondsSince1970 seconds: Double) -> Int { 1970 + Int(seconds / 31_556_952) }
}
