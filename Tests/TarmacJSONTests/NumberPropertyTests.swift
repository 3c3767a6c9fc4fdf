import Foundation
import Testing

@testable import TarmacJSON

/// Numbers of any length and any bits: read as the nearest value, written so that they read back.
@Suite struct NumberPropertyTests {
    private func digits(_ count: Int, _ generator: inout SeededGenerator) -> String {
        (0..<count).map { String($0 == 0 ? 1 + generator.upTo(9) : generator.upTo(10)) }.joined()
    }

    /// What C's `strtod` and `strtof` make of the same text.
    private func expectNearest(_ texts: [String]) throws {
        let json = "[" + texts.joined(separator: ",") + "]"
        let doubles = texts.compactMap(Double.init).filter(\.isFinite)
        if doubles.count == texts.count {
            #expect(try TarmacJSONDecoder().decode([Double].self, from: Array(json.utf8)).map(\.bitPattern) == doubles.map(\.bitPattern))
            #expect(try JSON(parsing: json).elements.compactMap(\.double).map(\.bitPattern) == doubles.map(\.bitPattern))
        }
        let floats = texts.compactMap(Float.init)
        if floats.allSatisfy(\.isFinite) {
            #expect(try TarmacJSONDecoder().decode([Float].self, from: Array(json.utf8)).map(\.bitPattern) == floats.map(\.bitPattern))
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func longNumbersAreTheNearest(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 800 + seed)
        for _ in 0..<50 {
            try expectNearest(
                (0..<20).map { _ in
                    let length = generator.once(in: 20) ? 800 : 20 + generator.upTo(40)
                    return "\(digits(length, &generator)).\(digits(1 + generator.upTo(30), &generator))e\(generator.upTo(60) - length - 30)"
                })
        }
    }

    /// Exactly between two values, and a hair to either side: the even one, the upper one, the lower one.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func numbersBetweenTwoValuesAreTheNearest(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 900 + seed)
        for _ in 0..<300 {
            let double = Double(generator.next() >> UInt64(generator.upTo(9)) | 1 << 54)
            let float = Float(generator.next() >> UInt64(1 + generator.upTo(30)) | 1 << 30)
            for middle in [UInt64(double) &+ UInt64(double.ulp) / 2, UInt64(float) &+ UInt64(float.ulp) / 2] where middle > 1 {
                let zeros = String(repeating: "0", count: generator.upTo(60))
                try expectNearest([
                    "\(middle)", "\(middle).\(zeros)0", "\(middle).\(zeros)1", "\(middle - 1).9\(zeros.replacing("0", with: "9"))", "-\(middle)e-0",
                    "\(middle)\(zeros)e-\(zeros.count)",
                ])
            }
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func decimalsComeBack(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 1000 + seed)
        for _ in 0..<500 {
            let mantissa = Decimal(generator.next() >> UInt64(generator.upTo(64))) * (generator.bool() ? Decimal(generator.next()) : 1)
            let value = Decimal(sign: generator.bool() ? .plus : .minus, exponent: generator.upTo(150) - 100, significand: mantissa)
            guard value.isFinite else { continue }
            let text = try TarmacJSONEncoder().encodeBytes(value)
            #expect(try TarmacJSONDecoder().decode(Decimal.self, from: text) == value)
            #expect(try JSON(parsing: text).decimal == value)
            #expect(try JSONDecoder().decode(Decimal.self, from: Data(text)) == value)
        }
    }

    /// One way to write a number, whoever writes it.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func valuesAndModelsAreWrittenAlike(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 1100 + seed)
        for _ in 0..<2000 {
            let double = Double(bitPattern: generator.next())
            guard double.isFinite else { continue }
            let text = JSON(double).description
            #expect(try TarmacJSONEncoder().encodeBytes(double) == Array(text.utf8))
            #expect(Double(text)?.bitPattern == double.bitPattern)
            #expect(try JSON(parsing: text).double?.bitPattern == double.bitPattern)
        }
    }

    @Test(arguments: [
        "5e-324", "-5e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.225073858507201e-308", "2.2250738585072014e-308",
        "1.7976931348623157e308", "1.7976931348623158e308", "1.1754944e-38", "1.1754942e-38", "1e-45", "7.006492321624085e-46", "7.1e-46",
        "3.4028235e38", "3.4028235677973366e38", "3.40282346638528859811704183484516925440e+38", "16777217", "33554435", "0.000000059604645",
    ])
    func edgesAreTheNearest(_ text: String) throws { try expectNearest([text]) }
}
