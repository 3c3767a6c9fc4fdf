import Foundation
import Testing

@testable import TarmacJSON

@Suite struct NumberReaderTests {
    private func int<T: FixedWidthInteger>(_ text: String, _ type: T.Type) -> T? {
        text.withText { NumberReader.integer($0, as: type) }
    }

    private func double(_ text: String) -> Double? {
        text.withText { NumberReader.double($0) }
    }

    @Test func integersAreExactUpToTheirLimits() {
        #expect(int("9223372036854775807", Int64.self) == .max)
        #expect(int("-9223372036854775808", Int64.self) == .min)
        #expect(int("9223372036854775808", Int64.self) == nil)
        #expect(int("-9223372036854775809", Int64.self) == nil)
        #expect(int("18446744073709551615", UInt64.self) == .max)
        #expect(int("18446744073709551616", UInt64.self) == nil)
        #expect(int("-1", UInt64.self) == nil)
        #expect(int("-0", UInt8.self) == 0)
        #expect(int("255", UInt8.self) == 255)
        #expect(int("256", UInt8.self) == nil)
        #expect(int("-128", Int8.self) == -128)
        #expect(int("000", Int.self) == 0)
    }

    @Test func wholeNumbersMayHaveFractionAndExponent() {
        #expect(int("1.0", Int.self) == 1)
        #expect(int("1e2", Int.self) == 100)
        #expect(int("1.50e1", Int.self) == 15)
        #expect(int("1500e-2", Int.self) == 15)
        #expect(int("9007199254740993.0", Int64.self) == 9_007_199_254_740_993)
        #expect(int("0e999999999999", Int.self) == 0)
        #expect(int("0.000", Int.self) == 0)
        #expect(int("1.5", Int.self) == nil)
        #expect(int("1e-1", Int.self) == nil)
        #expect(int("1e999999999999", Int.self) == nil)
        #expect(int("-1.28e2", Int8.self) == -128)
    }

    /// Digits and exponent make up for each other at any length.
    @Test func exponentsAreAsLongAsTheDigits() throws {
        let count = 1_000_001
        let zeros = String(repeating: "0", count: count)
        let (ten, one) = ("1\(zeros)e-\(count - 1)", "1\(zeros)e-\(count)")
        #expect(int(ten, Int.self) == 10)
        #expect(int(one, Int.self) == 1)
        #expect(int("1\(zeros)e-\(count + 1)", Int.self) == nil)
        #expect([ten, one].map(double) == [10, 1])
        let small = "0.\(zeros)1e\(count + 1)"
        #expect(int(small, Int.self) == 1)
        #expect(try JSON(parsing: small).decimal?.description == "1")
        #expect(try JSON(parsing: "0.\(zeros)1e\(count)").decimal?.description == "0.1")
        #expect(int("1\(zeros)e-99999999999999999999999", Int.self) == nil)
        #expect(int("0.\(zeros)1e99999999999999999999999", Int.self) == nil)
    }

    @Test(arguments: [
        "0", "-0", "1", "-1.5", "0.1", "3.141592653589793", "1e22", "1e23", "123456789012345678", "1.7976931348623157e308",
        "5e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "9007199254740993", "9007199254740992.5",
        "0.30000000000000004", "-65.613616999999977", "1e65", "1e-65", "1e66", "1e-66", "6.02214076e23", "1e-400",
        "123456789012345678901234567890", "0.00000000000000000000000000000000000000001", "8.5e-8", "1E+2", "4503599627370496.5",
        "4503599627370497.5", "9007199254740991.5", "1.00000000000000011102230246251565", "1.00000000000000011102230246251565404236316680908203126",
    ])
    func doublesAreTheNearest(_ text: String) {
        #expect(double(text)?.bitPattern == Double(text)?.bitPattern)
    }

    @Test func doublesBeyondTheRangeAreNil() {
        #expect(double("1e309") == nil)
        #expect(double("-1e999") == nil)
        #expect(double("1e99999999999") == nil)
    }

    @Test func randomDoublesRoundTrip() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(double(value.description)?.bitPattern == value.bitPattern)
        }
    }

    @Test func randomDecimalsAreTheNearest() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200_000 {
            let digits = Int.random(in: 1...19, using: &generator)
            let mantissa = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
            let text = "\(mantissa)e\(Int.random(in: -90...70, using: &generator))"
            #expect(double(text)?.bitPattern == Double(text)?.bitPattern)
        }
    }
}
