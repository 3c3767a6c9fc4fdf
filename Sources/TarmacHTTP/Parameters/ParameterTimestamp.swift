/// Formats RFC 3339 timestamps in UTC by arithmetic. A formatter costs a hundred times as much.
enum ParameterTimestamp {
    private static let range = -62_167_219_200.0..<253_402_300_800.0

    static func text(seconds: Double, withMilliseconds: Bool) throws(ParameterFault) -> String {
        let rounded = withMilliseconds ? (seconds * 1000).rounded() / 1000 : seconds.rounded(.down)
        guard range.contains(rounded) else {
            throw ParameterFault([String](), "a date before year 0 or after year 9999 has no ISO 8601 form")
        }
        // Within the range, milliseconds are far below 2^53, so these conversions are exact and cannot trap.
        let milliseconds = Int((rounded * 1000).rounded())
        let second = milliseconds.quotientAndRemainder(flooringBy: 1000)
        let day = second.quotient.quotientAndRemainder(flooringBy: 86_400)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(date: day.quotient, to: &bytes)
        append(time: day.remainder, to: &bytes)
        if withMilliseconds {
            bytes.append(UInt8(ascii: "."))
            append(second.remainder, digits: 3, to: &bytes)
        }
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the proleptic Gregorian date of a day counted from 1970-01-01.
    ///
    /// Years start in March, so that the leap day is the last day. An era is the 400 years after which the
    /// calendar repeats.
    private static func append(date days: Int, to bytes: inout [UInt8]) {
        let era = (days + 719_468).quotientAndRemainder(flooringBy: 146_097)
        let dayOfEra = era.remainder
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        append(yearOfEra + era.quotient * 400 + (month <= 2 ? 1 : 0), digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, digits: 2, to: &bytes)
    }

    private static func append(time seconds: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "T"))
        append(seconds / 3600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(seconds / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(seconds % 60, digits: 2, to: &bytes)
    }

    private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}

extension Int {
    fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
