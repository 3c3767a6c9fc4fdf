import Foundation
import Testing

@testable import TarmacJSON

@Suite struct EncoderTests {
    private func text<T: Encodable>(_ value: T, _ configure: (inout TarmacJSONEncoder) -> Void = { _ in }) throws -> String {
        var encoder = TarmacJSONEncoder()
        configure(&encoder)
        return String(decoding: try encoder.encodeBytes(value), as: UTF8.self)
    }

    private func theirs<T: Encodable>(_ value: T, _ configure: (JSONEncoder) -> Void = { _ in }) throws -> String {
        let encoder = JSONEncoder()
        configure(encoder)
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func membersKeepTheirOrder() throws {
        struct Model: Encodable { var b = 1; var a: Int? = nil; var c = ["x": [true, false]]; var d: [Int?] = [1, nil] }
        #expect(try text(Model()) == #"{"b":1,"c":{"x":[true,false]},"d":[1,null]}"#)
    }

    @Test func scalarsAreWrittenAsFoundationWrites() throws {
        #expect(
            try text([1.0, 0.1, 1e20, 1e-7, -0.0, .leastNonzeroMagnitude, 1.7976931348623157e308])
                == theirs([1.0, 0.1, 1e20, 1e-7, -0.0, .leastNonzeroMagnitude, 1.7976931348623157e308]))
        #expect(try text([Float(0.1), 1e10, 3]) == theirs([Float(0.1), 1e10, 3]))
        let strings = ["a/b", "\u{8}\u{c}\n\r\t\u{0}\u{1f}", "\"\\é😀\u{2028}\u{7f}", "", "plain text that is longer than eight bytes/", "é/é/é/é/é/é\"é"]
        #expect(try text(strings) == theirs(strings))
        #expect(try text(strings) { $0.outputFormatting = .withoutEscapingSlashes } == theirs(strings) { $0.outputFormatting = .withoutEscapingSlashes })
        #expect(try text([Int64.min, .max, 0, -1, 10]) == theirs([Int64.min, .max, 0, -1, 10]))
        #expect(try text([UInt64.max, 0]) == theirs([UInt64.max, 0]))
        #expect(try text([Int8.min]) == "[-128]")
        #expect(try text("x") == "\"x\"")
        #expect(try text(Int?.none) == "null")
    }

    @Test func strategiesGiveFoundationsText() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.25)
        #expect(try text([date]) == theirs([date]))
        #expect(try text([date]) { $0.dateEncodingStrategy = .secondsSince1970 } == theirs([date]) { $0.dateEncodingStrategy = .secondsSince1970 })
        #expect(try text([date]) { $0.dateEncodingStrategy = .millisecondsSince1970 } == theirs([date]) { $0.dateEncodingStrategy = .millisecondsSince1970 })
        #expect(try text([date]) { $0.dateEncodingStrategy = .iso8601 } == theirs([date]) { $0.dateEncodingStrategy = .iso8601 })
        #expect(
            try text([date]) {
                $0.dateEncodingStrategy = .custom { _, encoder in
                    var c = encoder.singleValueContainer(); try c.encode("d")
                }
            } == "[\"d\"]")
        #expect(try text([date]) { $0.dateEncodingStrategy = .custom { _, _ in } } == "[{}]")
        #expect(try text([Data([1, 2, 3])]) == theirs([Data([1, 2, 3])]))
        #expect(try text([Data([1, 2, 3])]) { $0.dataEncodingStrategy = .deferredToData } == "[[1,2,3]]")
        #expect(try text([URL(string: "https://a.example/b")!]) == theirs([URL(string: "https://a.example/b")!]))
        #expect(try text([Decimal(string: "12.50")!]) == theirs([Decimal(string: "12.50")!]))
        #expect(
            try text([Double.nan, .infinity, -.infinity]) {
                $0.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            } == #"["?","+","-"]"#)
        #expect(throws: EncodingError.self) { try text([Double.nan]) }
    }

    @Test(arguments: [
        "_A", "trail_", "aURL_B", "_leadX", "ABC", "a_B", "aB_", "__aB", "URL", "aBC", "aBCd", "a1B", "x_Y_Z", "éÀb", "A_B", "a__B", "myURLProperty1",
        "mapTo🏝Place", "", "x", "userID",
    ])
    func snakeCaseIsFoundations(_ key: String) throws {
        struct Model: Encodable {
            var key: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyCodingKey.self)
                try container.encode(1, forKey: AnyCodingKey(key))
            }
        }
        #expect(
            try text(Model(key: key)) { $0.keyEncodingStrategy = .convertToSnakeCase }
                == theirs(Model(key: key)) { $0.keyEncodingStrategy = .convertToSnakeCase })
    }

    @Test func keysOfDictionariesAreDataAndCustomKeysSeeTheirPath() throws {
        #expect(try text(["aB": 1]) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"aB":1}"#)
        #expect(try text(["x": Inner()]) { $0.keyEncodingStrategy = .custom { AnyCodingKey("\($0.count)" + $0.last!.stringValue) } } == #"{"x":{"2value":1}}"#)
    }

    private struct Inner: Encodable { var value = 1 }

    @Test func layoutIsSortedAndPretty() throws {
        let value = ["b": [1, 2], "a": [], "é": [3], "A": [4]]
        #expect(try text(value) { $0.outputFormatting = [.sortedKeys] } == theirs(value) { $0.outputFormatting = [.sortedKeys] })
        #expect(try text(value) { $0.outputFormatting = [.sortedKeys, .prettyPrinted] }.hasPrefix("{\n  \"A\": [\n    4\n  ],\n  \"a\": [],"))
    }

    @Test func nestedContainersMayBeFilledInAnyOrder() throws {
        struct Columns: Encodable {
            enum Key: String, CodingKey { case xs, ys, meta, `super`, last }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var xs = container.nestedUnkeyedContainer(forKey: .xs)
                var ys = container.nestedUnkeyedContainer(forKey: .ys)
                var meta = container.nestedContainer(keyedBy: Key.self, forKey: .meta)
                for value in 1...3 {
                    try xs.encode(value)
                    try ys.encode(value * 10)
                    var pair = ys.nestedUnkeyedContainer()
                    try container.encode(value, forKey: .last)
                    try pair.encode("p\(value)")
                }
                try meta.encode("m", forKey: .last)
                try [7].encode(to: container.superEncoder())
                _ = ys.superEncoder()
            }
        }
        #expect(try text(Columns()) == #"{"xs":[1,2,3],"ys":[10,["p1"],20,["p2"],30,["p3"],{}],"meta":{"last":"m"},"last":3,"super":[7]}"#)
        let sorted = try text([Columns()]) { $0.outputFormatting = .sortedKeys }
        #expect(sorted == (try theirs([Columns()]) { $0.outputFormatting = .sortedKeys }))
    }

    @Test func lastOfEqualKeysCounts() throws {
        struct Twice: Encodable {
            var count: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyCodingKey.self)
                for round in 0..<2 { for key in 0..<count { try container.encode([round], forKey: AnyCodingKey("key\(key)")) } }
            }
        }
        for count in [1, 2, 5, 40, 100] {
            let json = try JSON(parsing: text(Twice(count: count)))
            #expect(json.count == count)
            #expect(json.members.allSatisfy { $0.value == [1] })
        }
    }

    @Test func subclassAndSuperclassShareAnObject() throws {
        class Base: Encodable {
            var id = 1
            enum Key: String, CodingKey { case id, name }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(id, forKey: .id)
            }
        }
        final class Derived: Base {
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Key.self)
                try container.encode("n", forKey: .name)
            }
        }
        #expect(try text([Derived()]) == #"[{"id":1,"name":"n"}]"#)
    }

    @Test func aCaughtErrorLeavesNothingBehind() throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyCodingKey.self)
                try container.encode([1, 2], forKey: AnyCodingKey("x"))
                throw CancellationError()
            }
        }
        struct Outer: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyCodingKey.self)
                try container.encode(1, forKey: AnyCodingKey("a"))
                try? container.encode(Failing(), forKey: AnyCodingKey("b"))
                try? container.encode([Double.nan], forKey: AnyCodingKey("c"))
                try container.encode(2, forKey: AnyCodingKey("d"))
            }
        }
        #expect(try text(Outer()) == #"{"a":1,"d":2}"#)
    }

    @Test func nothingEncodedIsAnErrorAtTheTopAndAnEmptyObjectBelow() throws {
        struct Nothing: Encodable { func encode(to encoder: any Encoder) throws {} }
        #expect(throws: EncodingError.self) { try text(Nothing()) }
        #expect(try text([Nothing()]) == "[{}]")
    }

    @Test func misuseIsAnError() {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                _ = encoder.unkeyedContainer()
            }
        }
        struct Double: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try text([Both()]) }
        #expect(throws: EncodingError.self) { try text([Double()]) }
    }

    @Test func errorsCarryTheCodingPath() {
        struct Model: Encodable { var list = [["x": Swift.Double.nan]] }
        let error = #expect(throws: EncodingError.self) { try text(["a": Model()]) }
        if case .invalidValue(_, let context)? = error {
            #expect(context.codingPath.map(\.stringValue) == ["a", "list", "Index 0", "x"])
        }
    }

    @Test func roundTripsThroughTheDecoder() throws {
        let items = [DecoderTests.Item(id: 1, name: "a\"é", price: 0.1, tags: ["x"], nested: ["k": [1]], active: true)]
        #expect(try TarmacJSONDecoder().decode([DecoderTests.Item].self, from: TarmacJSONEncoder().encode(items)) == items)
    }
}
