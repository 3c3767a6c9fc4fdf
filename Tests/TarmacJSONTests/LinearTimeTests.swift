import Testing

@testable import TarmacJSON

/// Work in proportion to the text. Nothing here measures time: what is not linear does not end.
@Suite struct LinearTimeTests {
    static let count = 100_000

    private static func object(_ value: (Int) -> String) -> String {
        "{" + (0..<count).map { "\"key\($0)\":\(value($0))" }.joined(separator: ",") + "}"
    }

    @Test func aPatchOfManyNullsRemovesManyMembers() throws {
        var json = try JSON(parsing: Self.object { "\($0)" })
        json.merge(try JSON(parsing: Self.object { $0 == 7 ? "true" : "null" }))
        #expect(json.description == #"{"key7":true}"#)
    }

    @Test func membersAreRemovedOneByOne() throws {
        var json = try JSON(parsing: Self.object { "\($0)" })
        for key in 0..<(Self.count - 1) { json.remove("key\(key)") }
        #expect(json.description == "{\"key\(Self.count - 1)\":\(Self.count - 1)}")
        json["new"] = 1
        #expect(json.members.map(\.key) == ["key\(Self.count - 1)", "new"])
    }

    @Test func innerContainersAreChangedInPlace() throws {
        var json = try JSON(parsing: #"{"list":[],"map":{}}"#)
        for number in 0..<Self.count {
            json["list"].append(JSON(number))
            json["map"]["key\(number)"] = JSON(number)
            json.map["key\(number)"]["x"] = 1
            json["list"][number] = true
            json[["map", "key0"]] = JSON(number)
        }
        #expect(json["list"].count == Self.count)
        #expect(json["map"].count == Self.count)
        #expect(json["map"]["key5"]["x"] == 1)
    }

    private struct Repeating: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for round in 0..<2 {
                for key in 0..<LinearTimeTests.count { try container.encode(round, forKey: AnyCodingKey("key\(key)")) }
            }
        }
    }

    @Test func manyKeysEncodedTwiceKeepTheirLastValue() throws {
        let json = try JSON(parsing: TarmacJSONEncoder().encodeBytes(Repeating()))
        #expect(json.count == Self.count)
        #expect(json.members.allSatisfy { $0.value == 1 })
    }

    @Test func failuresBelowALongKeyStayLinear() throws {
        struct Lenient: Decodable {
            var value: Int?
            init(from decoder: any Decoder) throws { value = try? decoder.singleValueContainer().decode(Int.self) }
        }
        let key = String(repeating: "k", count: 300_000)
        let text = "{\"\(key)\":[" + String(repeating: "\"x\",", count: 50_000) + "1]}"
        for strategy in [TarmacJSONDecoder.KeyDecodingStrategy.useDefaultKeys, .convertFromSnakeCase] {
            var decoder = TarmacJSONDecoder()
            decoder.keyDecodingStrategy = strategy
            #expect(try decoder.decode([String: [Lenient]].self, from: Array(text.utf8))[key]?.last?.value == 1)
        }
    }

    // MARK: Errors back and forth

    /// The members come in the other order than they are asked for, so errors are about a later place and an earlier one in turn.
    private struct Backward: Decodable {
        private enum Key: CodingKey { case a, b }
        var (a, b): (String?, String?)
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            a = try? container.decode(String.self, forKey: .a)
            b = try? container.decode(String.self, forKey: .b)
        }
    }

    @Test func errorsAboutEarlierPlacesStayLinear() throws {
        let text = "[" + String(repeating: #"{"b":1,"a":1},"#, count: 2 * Self.count) + #"{"b":"x","a":1}]"#
        let read = try TarmacJSONDecoder().decode([Backward].self, from: Array(text.utf8))
        #expect(read.count == 2 * Self.count + 1)
        #expect(read.last?.b == "x")
    }

    /// Two long arrays, read side by side, and one from its end.
    private struct SideBySide: Decodable {
        private enum Key: CodingKey { case x, y }
        var failures = 0
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            var (x, y) = (try container.nestedUnkeyedContainer(forKey: .x), try container.nestedUnkeyedContainer(forKey: .y))
            var elements: [any Decoder] = []
            while !x.isAtEnd {
                for decoder in [try x.superDecoder(), try y.superDecoder()] {
                    elements.append(decoder)
                    fail(decoder)
                }
            }
            for decoder in elements.reversed() { fail(decoder) }
        }

        private mutating func fail(_ decoder: any Decoder) {
            do { _ = try Int(from: decoder) } catch { failures += 1 }
        }
    }

    @Test func errorsInSeveralContainersStayLinear() throws {
        let list = "[" + String(repeating: "null,", count: Self.count - 1) + "null]"
        let read = try TarmacJSONDecoder().decode(SideBySide.self, from: Array("{\"x\":\(list),\"y\":\(list)}".utf8))
        #expect(read.failures == 4 * Self.count)
    }

    // MARK: Counts

    private struct Counting: Decodable {
        var read = 0
        init(from decoder: any Decoder) throws {
            var outer = try decoder.unkeyedContainer()
            while !(outer.currentIndex >= outer.count ?? 0) {
                var inner = try outer.nestedUnkeyedContainer()
                while !(inner.currentIndex >= inner.count ?? 0) {
                    read += 1
                    _ = try inner.decode(JSON.self)
                }
            }
        }
    }

    @Test func countsAskedForBeforeEachElementStayLinear() throws {
        let inner = "[" + String(repeating: "1,", count: 5 * Self.count) + "1]"
        let texts = ["[" + String(repeating: "[1],", count: 5 * Self.count) + "[1]]", "[\(inner),[1,2],[[]],\(inner)]"]
        let read = try texts.map { try TarmacJSONDecoder().decode(Counting.self, from: Array($0.utf8)).read }
        #expect(read == [5 * Self.count + 1, 10 * Self.count + 5])
    }

    /// Each growth may copy the whole tape.
    @Test(arguments: [1 << 30, 1000])
    func aTapeGrowsByFactors(_ limit: Int) {
        let indexer = Indexer(depthLimit: .max, wordLimit: limit)
        for wordsPerByte in [0.1, 0.5, 1] {
            var (capacity, growths) = (16, 0)
            let text = 10_000_000
            let end = min(Int(Double(text) * wordsPerByte), limit)
            while capacity < end + 3 {
                let words = capacity - 2
                let next = indexer.roomier(words, capacity, at: Int(Double(words) / wordsPerByte), of: text)
                #expect(next > capacity && next <= 2 * capacity + 3 && next <= limit + 3)
                (capacity, growths) = (next, growths + 1)
                guard growths < 100 else { break }
            }
            #expect(growths < 100)
        }
    }

    @Test func wideObjectsAreComparedWhateverTheirOrder() throws {
        let forth = try JSON(parsing: Self.object { "\($0)" })
        let members = forth.members.map { "\"\($0.key)\":\($0.value)" }.reversed().joined(separator: ",")
        let back = try JSON(parsing: "{\(members)}")
        #expect(forth == back)
        #expect(forth.hashValue == back.hashValue)
    }
}
