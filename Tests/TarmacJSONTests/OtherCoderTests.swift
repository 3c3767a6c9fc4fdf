import Foundation
import Testing

@testable import TarmacJSON

/// `JSON` through encoders that are not this module's: no value changes on the way.
@Suite struct OtherCoderTests {
    private func written(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(JSON(parsing: text)), as: UTF8.self)
    }

    @Test(arguments: [
        "123456789012345678901234567890", "0.1234567890123456789", "-9223372036854775809", "0.1", "1.5", "18446744073709551615", "1e-7", "0.30000000000000004",
    ])
    func numbersAreKeptExactly(_ text: String) throws {
        let back = try JSON(parsing: written("[\(text)]"))[0]
        let (there, here) = try (#require(back.numberText), #require(JSON(parsing: text).numberText))
        #expect(there.withText { NumberParts($0) } == here.withText { NumberParts($0) }, "\(there)")
    }

    @Test(arguments: ["1e400", "1234567890123456789012345678901234567890123", "0.1234567890123456789012345678901234567890123"])
    func numbersNoTypeHoldsAreRefused(_ text: String) throws {
        #expect(throws: EncodingError.self) { try written("[\(text)]") }
        // This module's own encoder copies them.
        #expect(try TarmacJSONEncoder().encodeBytes(JSON(parsing: text)) == Array(text.utf8))
    }

    @Test func numbersThatAreDoublesStayNumbersInPropertyLists() throws {
        let list = try PropertyListEncoder().encode(["v": JSON(parsing: "[0.1,1e300,7.5]")])
        let back = try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: [Double]]
        #expect(back == ["v": [0.1, 1e300, 7.5]])
    }

    @Test func firstOfEqualKeysCounts() throws {
        #expect(try written(#"{"a":1,"b":{"c":1,"c":2},"a":2}"#) == #"{"a":1,"b":{"c":1}}"#)
    }

    @Test func builtNumbersFollowTheEncodersStrategy() throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        #expect(String(decoding: try encoder.encode([JSON(Double.nan)]), as: UTF8.self) == #"["?"]"#)
    }
}
