import Foundation
import Testing

@testable import TarmacJSON

/// A `Decimal` is the number in the text or there is none: no digit is dropped.
@Suite struct DecimalTests {
    private func decimal(_ text: String) -> Decimal? {
        let read = try? JSON(parsing: text).decimal
        #expect((try? TarmacJSONDecoder().decode(Decimal.self, from: Array(text.utf8))) == read)
        return read
    }

    @Test(arguments: [
        ("0", "0"), ("-0.0", "0"), ("0e999999", "0"), ("1", "1"), ("-1.50", "-1.5"), ("1e2", "100"), ("0.1", "0.1"), ("100E-2", "1"),
        ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
        ("-0.12345678901234567890123456789012345678", "-0.12345678901234567890123456789012345678"),
        ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ("000.1", ""), ("1000000000000000000000000000000000000000000000000", "1000000000000000000000000000000000000000000000000"),
        ("0.100000000000000000000000000000000000000000000000000000", "0.1"), ("900000000000000000009", "900000000000000000009"),
    ])
    func upTo38DigitsAreExact(_ text: String, _ expected: String) {
        #expect(decimal(text)?.description ?? "" == expected)
    }

    @Test(arguments: ["10e127", "100e126", "12e127", "-120e126", "0.1e129"])
    func zerosAtTheEndMayBeDigits(_ text: String) throws {
        let there = try JSONDecoder().decode([Decimal].self, from: Data("[\(text.replacing("0.1e129", with: "10e127"))]".utf8))[0]
        #expect(decimal(text) == there)
    }

    @Test func decimalsAreBuiltIntoBodies() throws {
        let price = try #require(Decimal(string: "12345678901234567890.12345"))
        let json: JSON = ["price": JSON(price), "zero": JSON(Decimal(0))]
        #expect(json.description == #"{"price":12345678901234567890.12345,"zero":0}"#)
        #expect(json["price"].decimal == price)
        #expect(throws: JSONError.self) { try JSON(Decimal.nan).bytes() }
    }

    @Test(arguments: [
        "1234567890123456789012345678901234567891", "0.9999999999999999999999999999999999999999", "1e400", "1e-400",
        "123456789012345678901234567890123456789012345678901234567890.5", "1e-129", "-999999999999999999999999999999999999999",
    ])
    func whatWouldBeRoundedIsRefused(_ text: String) {
        #expect(decimal(text) == nil)
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode([Decimal].self, from: Array("[\(text)]".utf8)) }
        #expect(error?.place?.code == .notRepresentable)
        #expect(error?.place?.path == [0])
    }

    /// The row of the table of differences.
    @Test func foundationCutsOffWhatThisRefuses() throws {
        let text = Array("[0.9999999999999999999999999999999999999999]".utf8)
        #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode([Decimal].self, from: text) }
        #expect(try JSONDecoder().decode([Decimal].self, from: Data(text)).map(\.description) == ["0." + String(repeating: "9", count: 38)])
    }

    @Test(arguments: 0..<20)
    func decimalsReadAsTheyAreWritten(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let digits = (0..<Int.random(in: 1...45, using: &generator)).map { _ in String(Int.random(in: 0...9, using: &generator)) }
            let text = "1\(digits.joined())e\(Int.random(in: -140...140, using: &generator))"
            guard let value = decimal(text) else { continue }
            let isSame = value.description.withText { written in text.withText { NumberParts(written) == NumberParts($0) } }
            #expect(isSame, "\(text) became \(value)")
        }
    }
}
