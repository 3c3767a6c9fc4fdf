/// Card numbers: 13 to 19 digits of an issuer, in one run or in groups, with a valid check digit (ISO/IEC 7812-1).
enum CardNumber {
    /// Returns the end of the card number at `start`, or nil. `end` is set to where the digits end in any case.
    static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int, digitsEnd: inout Int) -> Int? {
        var place = start, count = 0, sum = 0, double = 0, separator: UInt8 = 0, group = 0, groups = 0
        var head = 0
        while place < text.count {
            let byte = text[place]
            if byte &- 0x30 < 10 {
                let digit = Int(byte &- 0x30)
                if count < 6 { head = head * 10 + digit }
                count += 1
                group += 1
                // Both sums: which one counts depends on the number of digits.
                let doubled = digit * 2 > 9 ? digit * 2 - 9 : digit * 2
                (sum, double) = (double + digit, sum + doubled)
                place += 1
            } else if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-"), separator == 0 || separator == byte, group >= 4, group <= 6,
                count < 19, place + 1 < text.count, text[place + 1] &- 0x30 < 10
            {
                separator = byte
                groups += 1
                group = 0
                place += 1
            } else {
                break
            }
        }
        digitsEnd = max(place, start + 1)
        guard count >= 13, count <= 19, sum % 10 == 0, isIssuer(head, count), separator == 0 || groups <= 4 else { return nil }
        // A fraction, or a part of a longer word.
        if place < text.count, isPartOfWord(text, place) { return nil }
        return place
    }

    private static func isPartOfWord(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        let byte = text[place]
        if (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") { return true }
        return (byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")) && place + 1 < text.count && text[place + 1] &- 0x30 < 10
    }

    /// - Parameter head: the first six digits.
    private static func isIssuer(_ head: Int, _ count: Int) -> Bool {
        switch (head / 100_000, head / 10_000, head / 100, count) {
        case (4, _, _, 13), (4, _, _, 16), (4, _, _, 19): true
        case (_, 51...55, _, 16), (_, _, 2221...2720, 16): true
        case (_, 34, _, 15), (_, 37, _, 15): true
        case (_, _, 6011, 16), (_, 65, _, 16), (_, _, 6440...6499, 16), (_, _, 3528...3589, 16): true
        case (_, 36, _, 14), (_, 38, _, 14), (_, 39, _, 14), (_, _, 3000...3059, 14): true
        case (_, 62, _, 16), (_, 62, _, 19), (_, 81, _, 16): true
        default: false
        }
    }
}
