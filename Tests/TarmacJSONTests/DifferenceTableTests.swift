import Foundation
import Testing

@testable import TarmacJSON

/// Each row of the table of differences in Documentation/JSON.md, on both sides.
@Suite struct DifferenceTableTests {
    private struct Reads: Decodable, Equatable { var a: Int }

    private func both<T: Decodable>(_ type: T.Type, _ bytes: [UInt8]) -> (here: Result<T, any Error>, there: Result<T, any Error>) {
        (
            Result { try TarmacJSONDecoder().decode(type, from: bytes) },
            Result { try JSONDecoder().decode(type, from: Data(bytes)) }
        )
    }

    private func both<T: Decodable>(_ type: T.Type, _ text: String) -> (here: Result<T, any Error>, there: Result<T, any Error>) {
        both(type, Array(text.utf8))
    }

    @Test func otherEncodingsAndMarksAreRefusedHere() throws {
        let utf16 = try #require("[1]".data(using: .utf16))
        for text in [Array(utf16), [0xEF, 0xBB, 0xBF] + Array("[1]".utf8)] {
            let (here, there) = both([Int].self, text)
            #expect(throws: JSONError.self) { try here.get() }
            #expect(try there.get() == [1])
        }
    }

    @Test(arguments: [#"{"a":1,"b":01}"#, #"{"a":1,"b":1.}"#, #"{"a":1,"b":"\x"}"#, "{\"a\":1,\"b\":\"\t\"}", #"{"a":1,"b":"\ud800"}"#, #"{"a":1,"b":-}"#])
    func faultsInMembersThatAreNotReadAreRefusedHere(_ text: String) {
        let (here, there) = both(Reads.self, text)
        #expect(throws: JSONError.self) { try here.get() }
        #expect(throws: Never.self) { try there.get() }
    }

    @Test func trailingCommasAreRefusedHere() throws {
        let (here, there) = both(Reads.self, #"{"a":1,}"#)
        #expect(throws: JSONError.self) { try here.get() }
        #expect(try there.get() == Reads(a: 1))
    }

    @Test func keysAreComparedByTheirScalarsHere() throws {
        struct Both: Decodable {
            var composed: Int
            var decomposed: Int
            enum CodingKeys: String, CodingKey { case composed = "\u{E9}"; case decomposed = "e\u{301}" }
        }
        let members = (0..<200).map { ",\"k\($0)\":0" }.joined()
        for text in [
            #"{"\#("\u{E9}")":1,"\#("e\u{301}")":2}"#, #"{"\#("\u{E9}")":1,"\#("e\u{301}")":2\#(members)}"#,
            #"{"x":0\#(members),"\#("e\u{301}")":2,"\#("\u{E9}")":1}"#,
        ] {
            let (here, there) = both(Both.self, text)
            let read = try here.get()
            #expect((read.composed, read.decomposed) == (1, 2))
            if let other = try? there.get() { #expect(other.composed == other.decomposed) }
        }
    }

    @Test func numbersThatDoNotFitCarryTheirPathHere() {
        let (here, there) = both([String: [Int8]].self, #"{"a":[1,300]}"#)
        #expect(throws: DecodingError.self) { try there.get() }
        let error = #expect(throws: DecodingError.self) { try here.get() }
        #expect(error?.context?.codingPath.map(\.stringValue) == ["a", "Index 1"])
    }

    @Test func numbersTooSmallAreZeroHere() throws {
        let (here, there) = both([Double].self, "[1e-400]")
        #expect(try here.get() == [0])
        #expect(throws: DecodingError.self) { try there.get() }
        let zeros = both([Double].self, "[0e6]")
        #expect(try zeros.here.get() == [0])
        #expect(throws: DecodingError.self) { try zeros.there.get() }
        let floats = both([Float].self, "[-1e-60]")
        #expect(try floats.here.get() == [-0.0])
        #expect(throws: DecodingError.self) { try floats.there.get() }
    }

    @Test func integersLoseNoFractionHere() throws {
        let (here, there) = both([Int].self, "[9007199254740993.5]")
        #expect(throws: DecodingError.self) { try here.get() }
        #expect(try there.get() == [9_007_199_254_740_993])
    }

    @Test func integersThatJustFitAreExactHere() throws {
        let (here, there) = both([Int64].self, "[9223372036854775801.0]")
        #expect(try here.get() == [9_223_372_036_854_775_801])
        #expect(throws: DecodingError.self) { try there.get() }
    }

    @Test func decimalsAreNotRoundedHere() throws {
        let (here, there) = both([Decimal].self, "[0.9999999999999999999999999999999999999999]")
        #expect(throws: DecodingError.self) { try here.get() }
        #expect(throws: Never.self) { try there.get() }
    }

    @Test func firstOfEqualKeysCountsInBoth() throws {
        let (here, there) = both(Reads.self, #"{"a":1,"a":2}"#)
        #expect(try here.get() == Reads(a: 1))
        #expect(try there.get() == Reads(a: 1))
    }

    @Test func laterValuesOfADictionarysKeyAreNotReadHereUnderAKeyStrategy() throws {
        let text = Data(#"{"a":1,"a":"x"}"#.utf8)
        var mine = TarmacJSONDecoder()
        mine.keyDecodingStrategy = .convertFromSnakeCase
        let theirs = JSONDecoder()
        #expect(try mine.decode([String: Int].self, from: text) == ["a": 1])
        #expect(try theirs.decode([String: Int].self, from: text) == ["a": 1])
        theirs.keyDecodingStrategy = .convertFromSnakeCase
        #expect(throws: DecodingError.self) { try theirs.decode([String: Int].self, from: text) }
    }

    @Test func keyClosuresGetTheWholePathHere() throws {
        struct Nested: Encodable {
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: AnyCodingKey.self)
                var inner = outer.nestedContainer(keyedBy: AnyCodingKey.self, forKey: AnyCodingKey("a"))
                try inner.encode([[7: 1]], forKey: AnyCodingKey("b"))
            }
        }
        let name: @Sendable ([any CodingKey]) -> any CodingKey = { AnyCodingKey("\($0.count)") }
        var mine = TarmacJSONEncoder()
        mine.keyEncodingStrategy = .custom(name)
        let theirs = JSONEncoder()
        theirs.keyEncodingStrategy = .custom(name)
        #expect(String(decoding: try mine.encode(Nested()), as: UTF8.self) == #"{"1":{"2":[{"4":1}]}}"#)
        #expect(String(decoding: try theirs.encode(Nested()), as: UTF8.self) == #"{"1":{"2":[{"3":1}]}}"#)
    }

    @Test func prettyTextHasAnotherLayoutHere() throws {
        var mine = TarmacJSONEncoder()
        mine.outputFormatting = .prettyPrinted
        let theirs = JSONEncoder()
        theirs.outputFormatting = .prettyPrinted
        #expect(String(decoding: try mine.encode(["a": [Int]()]), as: UTF8.self) == "{\n  \"a\": []\n}")
        #expect(String(decoding: try theirs.encode(["a": [Int]()]), as: UTF8.self) == "{\n  \"a\" : [\n\n  ]\n}")
    }

    @Test func depthHasTheSameLimit() {
        for (depth, isAccepted) in [(512, true), (513, false)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let (here, there) = both(JSON.self, text)
            #expect(((try? here.get()) != nil) == isAccepted)
            #expect(((try? there.get()) != nil) == isAccepted)
        }
    }
}
