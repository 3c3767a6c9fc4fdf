import Foundation
import Testing

@testable import TarmacJSON

/// Text made to exhaust time: a million keys, escapes, digits, levels, faults.
///
/// Nothing here measures milliseconds. A million steps of linear work take seconds in a debug build on a busy machine; were
/// there one more factor of a million, the test would not end in the minutes it has, nor in hours.
@Suite(.timeLimit(.minutes(5)), .serialized) struct HostileTests {
    static let many = 1_000_000
    /// For what takes a microsecond and more each.
    static let fewer = 400_000

    private func times(_ count: Int, _ text: String) -> String { String(repeating: text, count: count) }

    private func refusal(_ text: String, depthLimit: Int = 512) -> JSONError? {
        do {
            _ = try JSONDocument(text, options: .init(depthLimit: depthLimit))
            return nil
        } catch { return error }
    }

    // MARK: Depth

    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]", inner: String = "") -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    @Test func manyLevelsAreIndexedAndWalked() throws {
        let depth = 300_000
        let document = try JSONDocument(nested(depth, "{\"a\":", "}", inner: "1"), options: .init(depthLimit: depth))
        var json = document.root
        for _ in 0..<depth { json = json["a"] }
        #expect(json.int == 1)
        #expect(json.path.components.count == depth)
    }

    @Test(arguments: [("{\"a\":", "}"), ("[", "]"), ("[{\"a\":", "}]")])
    func textsThatEndDeepInsideFailWithTheirPath(_ open: String, _ close: String) throws {
        let count = 100_000, depth = count * (open.count > 6 ? 2 : 1)
        for inner in ["oops", "", "\"", "1" + String(repeating: close, count: count - 1)] {
            let text = String(repeating: open, count: count) + inner
            let error = #expect(throws: JSONError.self) { try JSONDocument(text, options: .init(depthLimit: depth)) }
            #expect((error?.offset ?? 0) >= count)
            if inner == "oops" { #expect(error?.path.components.count == depth) }
        }
        #expect(throws: JSONError.self) { try JSONDocument(String(repeating: open, count: count)) }
    }

    /// The standard limit, on whatever stack the test has.
    @Test func everyReaderStandsTheStandardDepth() throws {
        let text = nested(256, "[{\"a\":", "}]", inner: "1")
        let json = try JSON(parsing: text)
        #expect(json.description == text)
        #expect(try JSON(parsing: json.text([.sortedKeys, .prettyPrinted])) == json)
        #expect(Set([json, json]).count == 1)
        // Foundation's encoder stops before.
        #expect(try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) == json)
        #expect(try TarmacJSONDecoder().decode(Tree.self, from: Array(text.utf8)) == JSONDecoder().decode(Tree.self, from: Data(text.utf8)))
        #expect(try TarmacJSONEncoder().encodeBytes(json) == Array(text.utf8))
        var built = json
        built[0]["b"] = 1
        #expect(try JSON(parsing: built.text([])) == built)
        #expect(throws: JSONError.self) { try JSONDocument(nested(513)) }
    }

    // MARK: Strings

    @Test(arguments: ["\\u00e9", "\\n", "\\ud83d\\ude00", "x\\\\", "\u{E9}", "\u{1F600}"])
    func longStringsOfEscapes(_ piece: String) throws {
        let text = "{\"\(times(Self.fewer, piece))\":\"\(times(Self.fewer, piece))\",\"z\":1}"
        let json = try JSON(parsing: text)
        #expect(json["z"].int == 1)
        let (key, value) = try #require(json.members.first { _ in true })
        #expect(key == value.string)
        #expect(json[key] == value)
        #expect(try TarmacJSONDecoder().decode([String: JSON].self, from: json).count == 2)
        #expect(try JSON(parsing: json.text([])) == json)
    }

    @Test(arguments: ["\"", "\"\\", "\"\\u00", "[\"\\ud83d", "{\"a\":\"", "{\"", "[\"a\",\"", "-", "[1.", "[0,1e", "[tru"])
    func unterminatedTexts(_ end: String) {
        for prefix in [" ", "\n", "\r\n"] {
            let text = times(Self.many, prefix) + end
            let error = refusal(text)
            #expect(error?.offset.map { $0 + end.utf8.count >= text.utf8.count } == true, "\(String(describing: error))")
            #expect(error?.line == (prefix == " " ? 1 : Self.many + 1))
        }
        #expect(refusal(end.contains("\"") ? end + times(Self.many, "x") : end + times(Self.many, "0") + "x") != nil)
    }

    // MARK: Numbers

    @Test func longNumbersHaveOneValue() throws {
        let digits = times(Self.fewer, "9"), zeros = times(Self.fewer, "0")
        let json = try JSON(parsing: "[\(digits),0.\(digits),1e\(digits),0.\(zeros)1,1\(zeros)e-\(Self.fewer),1e-\(digits),0e\(digits),-\(digits).5]")
        #expect(json.elements.map(\.int) == [nil, nil, nil, nil, 1, nil, 0, nil])
        #expect(json.elements.map(\.double) == [nil, 1, nil, 0, 1, 0, 0, nil])
        for number in json.elements {
            _ = (number.decimal, number.uint64, number.hashValue, number.description.count)
            #expect(number == number)
            #expect(Shape.number.matches(number))
            _ = (Shape.integer.matches(number), Shape.number(in: 0...1).matches(number), Shape.integer(in: 0...1).matches(number))
            _ = try? TarmacJSONDecoder().decode(Int8.self, from: number)
            _ = try? TarmacJSONDecoder().decode(Float.self, from: number)
            _ = try? TarmacJSONDecoder().decode(Decimal.self, from: number)
        }
    }

    // MARK: Keys

    @Test func oneKeyAMillionTimes() throws {
        let text = "{" + times(Self.many, "\"a\":1,") + "\"b\":2}"
        struct Both: Decodable, Equatable { var b: Int; var a: Int }
        let json = try JSON(parsing: text)
        #expect(try TarmacJSONDecoder().decode(Both.self, from: json) == Both(b: 2, a: 1))
        #expect(try TarmacJSONDecoder().decode([String: Int].self, from: json) == ["a": 1, "b": 2])
        #expect(json.object?.count == 2)
        #expect(json == ["a": 1, "b": 2])
        #expect(json.hashValue == (["b": 2, "a": 1] as JSON).hashValue)
        #expect(Shape.object(["b": .integer, "a": .integer]).closed().matches(json))
        var edited = json
        edited["b"] = 3
        #expect(edited == ["a": 1, "b": 3])
    }

    @Test(arguments: ["k", "\\u006b"])
    func manyKeys(_ letter: String) throws {
        let text = "{" + (0..<Self.fewer).map { "\"\(letter)\($0)\":\($0)" }.joined(separator: ",") + "}"
        let json = try JSON(parsing: text)
        #expect(json.count == Self.fewer)
        #expect(try TarmacJSONDecoder().decode([String: Int].self, from: json).count == Self.fewer)
        struct Last: Decodable { var k399999: Int; var k0: Int; var gone: Int? }
        #expect(try TarmacJSONDecoder().decode(Last.self, from: json).k399999 == 399_999)
        #expect(json == json)
        #expect(!Shape.object(["gone": .any]).matches(json))
    }

    /// As many lookups as there are keys, from the last to the first.
    @Test func everyKeyOfMany() throws {
        struct Wide: Decodable {
            static let keys = 300_000
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyCodingKey.self)
                for key in (0..<Self.keys).reversed() { sum += try container.decode(Int.self, forKey: AnyCodingKey("k\(key)")) }
            }
        }
        let members = (0..<Wide.keys).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(try TarmacJSONDecoder().decode(Wide.self, from: Array("{\(members)}".utf8)).sum == Wide.keys * (Wide.keys - 1) / 2)
    }

    @Test func longKeysChangeTheirCase() throws {
        struct Short: Codable { var firstName: Int }
        let key = times(Self.many, "a_") + "b"
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(Short.self, from: Array("{\"\(key)\":1,\"first_name\":2}".utf8)).firstName == 2)
        var encoder = TarmacJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        #expect(try encoder.encodeBytes([AnyCodingKey(times(Self.many, "aB")).stringValue: Short(firstName: 1)]).count > Self.many)
    }

    // MARK: Editing

    @Test func manyNullsMergedOverManyMembers() throws {
        let members = try JSON(parsing: "{" + (0..<Self.fewer).map { "\"k\($0)\":1" }.joined(separator: ",") + "}")
        let nulls = try JSON(parsing: "{" + (0..<Self.fewer).map { "\"k\($0)\":null" }.joined(separator: ",") + "}")
        var json = members
        json.merge(nulls)
        #expect(json == [:])
        json.merge(members)
        #expect(json.count == Self.fewer)
    }

    // MARK: Faults

    @Test(arguments: ["1,", "\"x\",", "[],", "{\"a\":null},", "\"\\u00e9\",\n", "\r\n2,"])
    func faultsAtTheEnd(_ element: String) throws {
        let text = "{\"list\":[" + times(Self.many, element) + "oops]}"
        let error = try #require(refusal(text))
        #expect(error.offset == text.utf8.count - 6)
        #expect(error.path == ["list", .index(Self.many)])
        let lines = text.utf8.split(omittingEmptySubsequences: false) { $0 == 0x0A }
        #expect(error.line == lines.count)
        #expect(error.column == (lines.last?.count ?? 0) - 5)
    }

    /// Each with its path, line and column, all on one line.
    @Test(arguments: [",", ",\n"])
    func manyFaultsOfOneDecoding(_ separator: String) throws {
        struct Lenient: Decodable {
            var value: Int?
            init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Int.self) }
        }
        let count = 200_000
        let read = try TarmacJSONDecoder().decode([Lenient].self, from: Array("[\(times(count, "\"x\"" + separator))1]".utf8))
        #expect(read.count == count + 1)
        #expect(read.last?.value == 1)
    }

    @Test func manySecretsBeforeAFaultAreMasked() {
        let members = times(Self.many / 4, #""password":"hunter2","pin":{"pin":[1,"hunter2"]},"#)
        let error = refusal("{\(members)oops}")
        #expect(error?.description.contains("hunter") == false)
        #expect(error?.snippet?.contains("•••") == true)
        let deep = times(500, "{\"pin\":") + "\"hunter2\"" + times(500, "}")
        #expect(refusal("[\(deep)oops]")?.description.contains("hunter") == false)
    }

    // MARK: Shapes

    @Test func alternativesOfManyElements() throws {
        let shape = Shape.array(of: .either(.string, .null, ["a": .string], ["a": .integer, "b": .oneOf(1, 2, "x")], .array(of: .bool)))
        let element = #"{"a":1,"b":"x"},[true,false],null,{"a":"y"},"#
        let text = "[" + times(Self.many / 10, element)
        #expect(shape.matches(try JSON(parsing: text + "null]")))
        let error = #expect(throws: JSONError.self) { try shape.check(JSON(parsing: text + #"{"a":1,"b":3}]"#)) }
        #expect(error?.path == [.index(Self.many / 10 * 4), "b"])
    }

    @Test func alternativesOfALongArray() throws {
        let shape = Shape.either(.array(of: .string), .array(of: .bool), .array(of: .either(.integer, .null)), .map(of: .any))
        let text = "[" + times(Self.many, "1,")
        #expect(shape.matches(try JSON(parsing: text + "null]")))
        #expect(!shape.matches(try JSON(parsing: text + "true]")))
        #expect(!Shape.array(of: .any, count: 0...3).matches(try JSON(parsing: text + "true]")))
    }
}
