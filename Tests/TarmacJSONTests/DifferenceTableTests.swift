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

    @Test func integersAreNotRoundedToZeroHere() throws {
        let (here, there) = both([Int].self, "[1e-400]")
        #expect(throws: DecodingError.self) { try here.get() }
        #expect(try there.get() == [0])
    }

    @Test func decimalsWithRoomForTheirExponentAreReadHere() throws {
        let (here, there) = both([Decimal].self, "[1e128]")
        #expect(try here.get().map(\.description) == ["1" + String(repeating: "0", count: 128)])
        #expect(throws: DecodingError.self) { try there.get() }
    }

    @Test func nullNamesTheTypeAskedForInBothExceptForBool() {
        func missing<T: Decodable>(_ type: T.Type) -> (here: String, there: String) {
            let (here, there) = both([T].self, "[null]")
            return (Self.words { try here.get() }, Self.words { try there.get() })
        }
        #expect(missing(Date.self) == ("valueNotFound Date", "valueNotFound Date"))
        #expect(missing(Data.self) == ("valueNotFound Data", "valueNotFound Data"))
        #expect(missing(URL.self) == ("valueNotFound URL", "valueNotFound URL"))
        #expect(missing(Bool.self) == ("valueNotFound Bool", "typeMismatch Bool"))
    }

    private static func words(_ body: () throws -> some Any) -> String {
        do {
            _ = try body()
            return "no error"
        } catch DecodingError.valueNotFound(let type, _) {
            return "valueNotFound \(type)"
        } catch DecodingError.typeMismatch(let type, _) {
            return "typeMismatch \(type)"
        } catch { return "\(error)" }
    }

    /// Runs a closure as the encoding of a value.
    private struct Script: Encodable {
        let run: (any Encoder) throws -> Void
        func encode(to encoder: any Encoder) throws { try run(encoder) }
    }

    private struct Chain: Encodable {
        var left: Int
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            if left > 1 { try container.encode(Chain(left: left - 1)) }
        }
    }

    @Test func whatIsDeeperThanReadersTakeIsWrittenHere() throws {
        #expect(try TarmacJSONEncoder().encode(Chain(left: 500)) == JSONEncoder().encode(Chain(left: 500)))
        #expect(try TarmacJSONEncoder().encode(Chain(left: 513)).count == 1026)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Chain(left: 513)) }
    }

    @Test func aValueMayTakeThePlaceOfOneThatFailedHere() throws {
        let value = Script {
            var container = $0.singleValueContainer()
            do { try container.encode(["a": Double.nan]) } catch { try container.encode("fallback") }
        }
        #expect(String(decoding: try TarmacJSONEncoder().encode([value]), as: UTF8.self) == #"["fallback"]"#)
        #expect(String(decoding: try JSONEncoder().encode([value]), as: UTF8.self) == "[{}]")
    }

    @Test func keysOfJSONAreDataHere() throws {
        var mine = TarmacJSONEncoder()
        mine.keyEncodingStrategy = .convertToSnakeCase
        let theirs = JSONEncoder()
        theirs.keyEncodingStrategy = .convertToSnakeCase
        let value: [[String: JSON]] = [["aB": ["cD": 1]]]
        #expect(String(decoding: try mine.encode(value), as: UTF8.self) == #"[{"aB":{"cD":1}}]"#)
        #expect(String(decoding: try theirs.encode(value), as: UTF8.self) == #"[{"aB":{"c_d":1}}]"#)
    }

    @Test func decimalsThatAreNoNumberAreRefusedHere() throws {
        #expect(throws: EncodingError.self) { try TarmacJSONEncoder().encode([Decimal.nan]) }
        #expect(String(decoding: try JSONEncoder().encode([Decimal.nan]), as: UTF8.self) == "[NaN]")
    }

    @Test func codingPathsBelowNestedContainersAreWholeHere() throws {
        let value = Script {
            var outer = $0.container(keyedBy: AnyCodingKey.self)
            var list = outer.nestedUnkeyedContainer(forKey: AnyCodingKey("n"))
            try list.encode(Script { try $0.codingPath.map(\.stringValue).encode(to: $0) })
        }
        #expect(String(decoding: try TarmacJSONEncoder().encode(value), as: UTF8.self) == #"{"n":[["n","Index 0"]]}"#)
        #expect(String(decoding: try JSONEncoder().encode(value), as: UTF8.self) == #"{"n":[["Index 0"]]}"#)
    }

    /// Foundation ends the process.
    @Test func aNestedContainerTakesThePlaceOfAnotherKindHere() throws {
        let value = Script {
            var outer = $0.container(keyedBy: AnyCodingKey.self)
            try outer.encode(1, forKey: AnyCodingKey("a"))
            var list = outer.nestedUnkeyedContainer(forKey: AnyCodingKey("a"))
            try list.encode(2)
        }
        #expect(String(decoding: try TarmacJSONEncoder().encode(value), as: UTF8.self) == #"{"a":[2]}"#)
    }

    @Test func aValueCannotWriteAroundItselfHere() throws {
        let value = Script {
            var outer = $0.container(keyedBy: AnyCodingKey.self)
            let kept = outer
            let inner = Script { encoder in
                var around = kept
                try around.encode(1, forKey: AnyCodingKey("b"))
                try 2.encode(to: encoder)
            }
            try outer.encode(inner, forKey: AnyCodingKey("a"))
        }
        #expect(throws: EncodingError.self) { try TarmacJSONEncoder().encode(value) }
        let theirs = JSONEncoder()
        theirs.outputFormatting = .sortedKeys
        #expect(String(decoding: try theirs.encode(value), as: UTF8.self) == #"{"a":2,"b":1}"#)
    }

    @Test func keysBelowASecretsNameAreHiddenHere() {
        func path(_ error: (any Error)?) -> [String]? {
            guard case .typeMismatch(_, let context)? = error as? DecodingError else { return nil }
            return context.codingPath.map(\.stringValue)
        }
        let (here, there) = both([String: [String: Int]].self, #"{"password":{"key":"x"}}"#)
        func error<T>(_ result: Result<T, any Error>) -> (any Error)? { if case .failure(let error) = result { error } else { nil } }
        #expect(path(error(here)) == ["password", "•••"])
        #expect(path(error(there)) == ["password", "key"])
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
