/// Converts host names outside ASCII to the form of DNS (RFC 3492 Punycode over RFC 5891 labels).
///
/// The only mapping is lower case. Write names that need more of the IDNA tables in their `xn--` form.
package enum InternationalHost {
    /// The longest label in bytes (RFC 1035 §2.3.4).
    static let labelLimit = 63

    /// A label that has no form in ASCII.
    package struct InvalidLabel: Error, Equatable {
        package let label: String
    }

    /// Returns the host in ASCII. Labels that are in ASCII are not checked.
    package static func ascii(_ host: String) throws(InvalidLabel) -> String {
        let dots: Set<Unicode.Scalar> = [".", "。", "．", "｡"]
        let labels = host.lowercased().unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }.map { Substring($0) }
        var result: [String] = []
        for label in labels {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                result.append(String(label))
            } else {
                let code = isValid(label) ? Punycode.encode(label.unicodeScalars.prefix(labelLimit + 1).map(\.value)) : nil
                guard let code, code.utf8.count + 4 <= labelLimit else { throw InvalidLabel(label: String(label)) }
                result.append("xn--" + code)
            }
        }
        return result.joined(separator: ".")
    }

    /// Whether a label outside ASCII keeps the rules of RFC 5891 §4.2.3: no hyphen at its ends or as its third and fourth character, which
    /// the form in ASCII has, no mark at its start, and no character that is not shown.
    private static func isValid(_ label: Substring) -> Bool {
        let scalars = label.unicodeScalars.prefix(labelLimit + 1)
        if scalars.first == "-" || label.unicodeScalars.last == "-" || scalars.dropFirst(2).starts(with: "--".unicodeScalars) { return false }
        if let first = scalars.first?.properties.generalCategory, [.nonspacingMark, .spacingMark, .enclosingMark].contains(first) { return false }
        return scalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
            // The joiners of some scripts (RFC 5892, appendix A).
            case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
            default: scalar != "\u{FFFD}"
            }
        }
    }
}

/// The Punycode encoder (RFC 3492 §6.3).
enum Punycode {
    private static let base: UInt32 = 36, tMin: UInt32 = 1, tMax: UInt32 = 26

    /// Returns the encoded text, or `nil` if no label can hold it.
    static func encode(_ input: [UInt32]) -> String? {
        // No label is longer. The bound prevents quadratic time below and keeps the numbers far from overflow.
        guard input.count <= InternationalHost.labelLimit else { return nil }
        var output = input.filter { $0 < 0x80 }.map { UInt8($0) }
        guard output.allSatisfy({ ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 122) || $0 == 45 }) else { return nil }
        let basicCount = UInt32(output.count)
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var n: UInt32 = 128, delta: UInt32 = 0, bias: UInt32 = 72, handled = basicCount
        while handled < input.count {
            guard let next = input.filter({ $0 >= n }).min() else { return nil }
            delta += (next - n) * (handled + 1)
            n = next
            for scalar in input {
                if scalar < n { delta += 1 }
                if scalar == n {
                    append(delta, bias: bias, to: &output)
                    bias = adapt(delta, count: handled + 1, first: handled == basicCount)
                    delta = 0
                    handled += 1
                }
            }
            delta += 1
            n += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var q = delta, k = base
        while true {
            let t = k <= bias ? tMin : min(k - bias, tMax)
            if q < t { break }
            output.append(digit(t + (q - t) % (base - t)))
            q = (q - t) / (base - t)
            k += base
        }
        output.append(digit(q))
    }

    private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? 97 + value : 22 + value) }

    private static func adapt(_ delta: UInt32, count: UInt32, first: Bool) -> UInt32 {
        var delta = first ? delta / 700 : delta / 2
        delta += delta / count
        var k: UInt32 = 0
        while delta > ((base - tMin) * tMax) / 2 {
            delta /= base - tMin
            k += base
        }
        return k + (base - tMin + 1) * delta / (delta + 38)
    }
}
