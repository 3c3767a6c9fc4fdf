import Foundation
import Testing

@testable import TarmacJSON

/// Numbers are written in the shortest form that reads back the same.
@Suite struct RoundTripTests {
    private static let rounds = 20_000

    /// The digits that count, without point, exponent, and zeros at either end.
    private func digits(_ text: String) -> String {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        return String(mantissa.drop { $0 == "0" }.reversed().drop { $0 == "0" }.reversed())
    }

    @Test(arguments: 0..<10)
    func doublesComeBackFromTheirShortestForm(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 500 + seed)
        let values = (0..<Self.rounds).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
        let text = try TarmacJSONEncoder().encodeBytes(values)
        let back = try TarmacJSONDecoder().decode([Double].self, from: text)
        #expect(back.map(\.bitPattern) == values.map(\.bitPattern))
        // Swift's description is the shortest (SE-0225's `SwiftDtoa`): as many digits, and one fewer would not do.
        for (json, value) in zip(try JSON(parsing: text).elements, values) {
            let shortest = digits(json.numberText ?? "")
            #expect(shortest == digits(value.description))
        }
    }

    @Test(arguments: 0..<10)
    func floatsComeBackFromTheirShortestForm(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 600 + seed)
        let values = (0..<Self.rounds).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }.filter(\.isFinite)
        let text = try TarmacJSONEncoder().encodeBytes(values)
        #expect(try TarmacJSONDecoder().decode([Float].self, from: text).map(\.bitPattern) == values.map(\.bitPattern))
        for (json, value) in zip(try JSON(parsing: text).elements, values) { #expect(digits(json.numberText ?? "") == digits(value.description)) }
    }

    @Test(arguments: 0..<4)
    func integersComeBack(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: 700 + seed)
        let signed = (0..<Self.rounds).map { _ in Int64(bitPattern: generator.next()) >> Int64(generator.next() & 63) }
        #expect(try TarmacJSONDecoder().decode([Int64].self, from: TarmacJSONEncoder().encodeBytes(signed)) == signed)
        let unsigned = (0..<Self.rounds).map { _ in generator.next() >> (generator.next() & 63) }
        #expect(try TarmacJSONDecoder().decode([UInt64].self, from: TarmacJSONEncoder().encodeBytes(unsigned)) == unsigned)
    }

    @Test(arguments: ["1", "-0", "0.1", "1e400", "1E+2", "123456789012345678901234567890", "0.10", "-1.50e-7", "1e-400"])
    func numbersOfADocumentKeepTheirText(_ text: String) throws {
        let json = try JSON(parsing: "[\(text)]")
        #expect(json.description == "[\(text)]")
        #expect(json[0].numberText == text)
        #expect(String(decoding: try TarmacJSONEncoder().encodeBytes(json), as: UTF8.self) == "[\(text)]")
    }

    @Test func decimalsAreExact() throws {
        for text in ["0.1", "12345678901234567890.123456789", "-0.00000000000000000001", "99999999999999999999999999999999999999"] {
            let json = try JSON(parsing: text)
            #expect(json.decimal == Decimal(string: text))
            #expect(try TarmacJSONDecoder().decode(Decimal.self, from: Array(text.utf8)) == Decimal(string: text))
            #expect(String(decoding: try TarmacJSONEncoder().encodeBytes(["n": json.decimal]), as: UTF8.self) == "{\"n\":\(text)}")
        }
    }
}
