import Foundation
import Testing

@testable import TarmacJSON

/// Text made to exhaust stack, memory or time. Nothing here measures time: what is not linear does not end.
@Suite struct HostileTests {
    private func nested(_ depth: Int, _ open: String = "[", _ close: String = "]", inner: String = "") -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    @Test func depthOf100000IsIndexedAndWalked() throws {
        let document = try JSONDocument(nested(100_000, "{\"a\":", "}", inner: "1"), options: .init(depthLimit: 100_000))
        var json = document.root
        for _ in 0..<100_000 { json = json["a"] }
        #expect(json.int == 1)
        #expect(json.path.components.count == 100_000)
    }

    @Test func depthOf100000FailsWithItsPath() {
        let error = #expect(throws: JSONError.self) {
            try JSONDocument(nested(100_000, "{\"a\":", "}", inner: "oops"), options: .init(depthLimit: 100_000))
        }
        #expect(error?.path.components.count == 100_000)
        #expect(error?.offset == 500_000)
    }

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
    }

    @Test func manySecretsBeforeAFaultAreMasked() {
        let members = String(repeating: #""password":"hunter2","pin":{"pin":[1,"hunter2"]},"#, count: 50_000)
        let error = #expect(throws: JSONError.self) { try JSONDocument("{\(members)oops}") }
        #expect(error?.description.contains("hunter") == false)
        #expect(error?.snippet?.contains("•••") == true)
        let deep = nested(500, "{\"pin\":", "}", inner: "\"hunter2\"")
        let inside = #expect(throws: JSONError.self) { try JSONDocument("[\(deep)oops]") }
        #expect(inside?.description.contains("hunter") == false)
    }

    @Test func oneObjectOfManyKeysIsReadByAnyType() throws {
        let members = (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let data = Data("{\(members)}".utf8)
        let all = try TarmacJSONDecoder().decode([String: Int].self, from: data)
        #expect(all.count == 50_000)
        struct Wide: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyCodingKey.self)
                for key in (0..<50_000).reversed() { sum += try container.decode(Int.self, forKey: AnyCodingKey("k\(key)")) }
            }
        }
        #expect(try TarmacJSONDecoder().decode(Wide.self, from: data).sum == 50_000 * 49_999 / 2)
    }

    @Test func oneKeyManyTimesIsReadOnce() throws {
        let text = "{" + String(repeating: "\"a\":1,", count: 200_000) + "\"b\":2}"
        struct Both: Decodable, Equatable { var b: Int; var a: Int }
        #expect(try TarmacJSONDecoder().decode(Both.self, from: Array(text.utf8)) == Both(b: 2, a: 1))
        #expect(try JSON(parsing: text).object?.count == 2)
    }

    @Test func manyFailuresOfOneDecodingStayLinear() throws {
        struct Lenient: Decodable {
            var value: Int?
            init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Int.self) }
        }
        let text = "[" + String(repeating: "\"x\",\n", count: 100_000) + "1]"
        let read = try TarmacJSONDecoder().decode([Lenient].self, from: Array(text.utf8))
        #expect(read.count == 100_001)
        #expect(read.last?.value == 1)
    }

    @Test func longNumbersAndStringsAreOneValue() throws {
        let digits = String(repeating: "9", count: 1_000_000)
        let json = try JSON(parsing: "[\(digits), 0.\(digits), 1e\(digits), \"\(String(repeating: "\\u0061", count: 100_000))\"]")
        #expect(json[0].int == nil)
        #expect(json[1].double == 1)
        #expect(json[2].double == nil)
        #expect(json[3].string?.count == 100_000)
    }
}
