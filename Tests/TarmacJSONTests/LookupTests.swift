import Testing

@testable import TarmacJSON

/// Look-ups by place and name: what they find, and the children they walk past.
@Suite struct LookupTests {
    private static let count = 10_000

    private static func array(_ count: Int, _ element: (Int) -> String = { "\($0)" }) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    private static func object(_ count: Int, _ key: (Int) -> String = { "key\($0)" }) -> String {
        "{" + (0..<count).map { "\"\(key($0))\":\($0)" }.joined(separator: ",") + "}"
    }

    // MARK: Steps

    @Test(arguments: [false, true])
    func lookUpsByPlaceWalkPastFewElementsEach(_ isShuffled: Bool) throws {
        let storage = try JSONDocument(Self.array(Self.count) { $0 % 3 == 0 ? "[[1],2]" : "\($0)" }).storage
        var random = SeededGenerator(seed: 1)
        let positions = isShuffled ? (0..<Self.count).shuffled(using: &random) : Array(0..<Self.count)
        let steps = positions.reduce(0) { $0 + storage.find($1, of: 0).steps }
        #expect(steps < 20 * Self.count)
    }

    @Test(arguments: [false, true])
    func lookUpsByNameCompareFewMembersEach(_ isShuffled: Bool) throws {
        let storage = try JSONDocument(Self.object(Self.count)).storage
        var random = SeededGenerator(seed: 2)
        let numbers = isShuffled ? (0..<Self.count).shuffled(using: &random) : Array(0..<Self.count)
        let steps = numbers.reduce(0) { sum, number in
            sum + "key\(number)".withText { storage.find($0, of: 0).steps }
        }
        #expect(steps < 20 * Self.count)
    }

    @Test func lookUpsOfMissingNamesCompareFewMembersEach() throws {
        let storage = try JSONDocument(Self.object(Self.count)).storage
        let steps = (0..<Self.count).reduce(0) { sum, number in
            sum + "no\(number)".withText { storage.find($0, of: 0).steps }
        }
        #expect(steps < 20 * Self.count)
    }

    @Test func oneLookUpNearTheStartDoesNotWalkToTheEnd() throws {
        let list = try JSONDocument(Self.array(Self.count)).storage
        #expect(list.find(40, of: 0).steps <= 100)
        let map = try JSONDocument(Self.object(Self.count)).storage
        #expect("key40".withText { map.find($0, of: 0).steps } == 41)
    }

    @Test func oneLookUpByNameMakesNoIndex() throws {
        let storage = try JSONDocument(Self.object(Self.count)).storage
        #expect("key9999".withText { storage.find($0, of: 0).steps } == Self.count)
        #expect(storage.withLookups { $0.names(of: 0) } == nil)
        #expect("key9999".withText { storage.find($0, of: 0).steps } >= Self.count)
        #expect(storage.withLookups { $0.names(of: 0) } != nil)
        #expect("key9999".withText { storage.find($0, of: 0).steps } < 100)
    }

    @Test func childrenOfALargeContainerAreCountedOnce() throws {
        for text in [Self.array(Self.count), Self.object(Self.count)] {
            let json = try JSON(parsing: text)
            guard case .view(let storage, let index) = json.node else { throw JSONError(.missing) }
            #expect(json.count == Self.count)
            #expect(storage.withLookups { $0.count(of: index) } == Self.count)
            #expect(json.count == Self.count)
        }
    }

    // MARK: Results

    @Test(arguments: [0, 1, 8, 9, 31, 32, 33, 64, 65, 100, 1023, 1024, 1025, 5000])
    func lookUpsFindTheSameAsAWalk(_ count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let list = try JSON(parsing: Self.array(count) { $0 % 4 == 1 ? "[\($0),[]]" : "\($0)" })
        let elements = Array(list.elements)
        for position in (-2..<count + 3).shuffled(using: &random) {
            #expect(list[position].description == (elements.indices.contains(position) ? elements[position].description : "(missing)"))
        }
        let map = try JSON(parsing: Self.object(count))
        for number in (-2..<count + 3).shuffled(using: &random) {
            #expect(map["key\(number)"].int == (0..<count ~= number ? number : nil))
        }
        #expect(list[Int.max].isMissing && list[Int.min].isMissing)
    }

    @Test(arguments: [40, 2000])
    func theFirstOfEqualKeysCountsWithAndWithoutEscapes(_ count: Int) throws {
        let escaped = #"\u006bey"#
        let members = (0..<count).map { number in
            number % 2 == 0
                ? "\"\(escaped)\(number)\":\(number),\"key\(number)\":-1" : "\"key\(number)\":\(number),\"\(escaped)\(number)\":-1"
        }
        let json = try JSON(parsing: "{" + members.joined(separator: ",") + ",\"key0\":-1,\"\\u0000\":-2,\"\":-3}")
        // Twice: before there is an index and with it.
        for number in Array(0..<count) + Array(0..<count).reversed() { #expect(json["key\(number)"].int == number) }
        #expect(json["\u{0}"].int == -2)
        #expect(json[""].int == -3)
        #expect(json["key\(count)"].isMissing)
        #expect(json.count == 2 * count + 3)
    }

    @Test func namesDifferByTheirScalars() throws {
        let text = "{" + (0..<2000).map { "\"e\($0)\":0" }.joined(separator: ",") + ",\"\u{E9}\":1,\"e\u{301}\":2}"
        let json = try JSON(parsing: text)
        for _ in 0..<3 {
            #expect(json["\u{E9}"].int == 1)
            #expect(json["e\u{301}"].int == 2)
        }
    }

    @Test func lookUpsFromManyTasksFindTheSame() async throws {
        let list = try JSON(parsing: Self.array(Self.count))
        let map = try JSON(parsing: "{\"a\":" + Self.object(2000) + ",\"b\":" + Self.object(2000) + "}")
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<16 {
                group.addTask {
                    (0..<2000).allSatisfy { step in
                        let number = (step * 7 + task * 311) % 2000
                        return list[number * 5].int == number * 5 && map["a"]["key\(number)"].int == number
                            && map["b"]["key\(number)"].int == number && map["b"].count == 2000
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    // MARK: Memory

    @Test func theMemoryOfAnIndexIsCounted() throws {
        let document = try JSONDocument("[\(Self.array(Self.count)),\(Self.object(Self.count))]")
        let tape = document.indexByteCount
        #expect(document.root[0][Self.count - 1].int == Self.count - 1)
        let withPlaces = document.indexByteCount
        #expect(withPlaces >= tape + Self.count / 16 * 4)
        #expect(withPlaces <= tape + Self.count / 16 * 4 + 256)
        for _ in 0..<3 { #expect(document.root[1]["key9999"].int == 9999) }
        let withNames = document.indexByteCount
        #expect(withNames >= withPlaces + 6 * Self.count)
        #expect(withNames <= withPlaces + 12 * Self.count + 256)
        for number in 0..<Self.count { _ = document.root[1]["key\(number)"].int ?? document.root[0][number].int }
        #expect(document.indexByteCount == withNames)
    }

    @Test func smallContainersGetNoIndex() throws {
        let document = try JSONDocument("[\(Self.array(32)),\(Self.object(32)),\(Self.array(1000)),\(Self.object(1000))]")
        let tape = document.indexByteCount
        for round in 0..<100 {
            for number in 0..<4 {
                #expect(document.root[number][round % 40].int != -1)
                #expect(document.root[number]["key\(round % 40)"].int != -1)
            }
        }
        // The large ones have theirs.
        #expect(document.indexByteCount > tape)
        let small = try JSONDocument("[\(Self.array(32)),\(Self.object(32))]")
        let before = small.indexByteCount
        for round in 0..<1000 {
            #expect(small.root[0][round % 50].int == (round % 50 < 32 ? round % 50 : nil))
            #expect(small.root[1]["key\(round % 50)"].int == (round % 50 < 32 ? round % 50 : nil))
        }
        #expect(small.indexByteCount == before)
    }

    @Test func noIndexOfLookUpsExceedsTheLimit() throws {
        let text = "[\(Self.array(Self.count)),\(Self.object(Self.count))]"
        let tape = try JSONDocument(text).indexByteCount
        let document = try JSONDocument(text, options: .init(indexLimit: tape))
        for number in stride(from: 0, to: Self.count, by: 500) {
            #expect(document.root[0][number].int == number)
            #expect(document.root[1]["key\(number)"].int == number)
        }
        #expect(document.indexByteCount <= tape + 256)
    }

    /// Decoding an array of large objects keeps one index beyond the limit at a time, not one for each object.
    @Test func noIndexOfADecodingExceedsTheLimit() throws {
        let text = "[\(Array(repeating: Self.object(2_000), count: 5).joined(separator: ","))]"
        let tape = try JSONDocument(text).indexByteCount
        for (limit, kept) in [(tape, 0), (.max, 5)] {
            let document = try JSONDocument(text, options: .init(indexLimit: limit))
            let context = DecodingContext(document.storage, root: 0, settings: TarmacJSONDecoder())
            for number in 0..<5 {
                let object = try #require(document.storage.element(number, of: 0))
                for key in [1_999, 1_000] {
                    let place = try #require(context.value(forKey: "key\(key)", of: object))
                    #expect(context.tape.integer(at: place, as: Int.self) == key)
                }
            }
            #expect(context.names.count == kept)
        }
    }

    // MARK: Decoding

    private struct Wide: Decodable {
        var values: [Int] = []
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyCodingKey.self)
            for number in (0..<LookupTests.count).reversed() { values.append(try container.decode(Int.self, forKey: AnyCodingKey("key\(number)"))) }
            for number in 0..<LookupTests.count { #expect(!container.contains(AnyCodingKey("no\(number)"))) }
        }
    }

    @Test func aWideObjectIsDecodedWithTheIndexOfTheDocument() throws {
        let document = try JSONDocument(Self.object(Self.count))
        let tape = document.indexByteCount
        for _ in 0..<2 {
            let wide = try TarmacJSONDecoder().decode(Wide.self, from: document.root)
            #expect(wide.values == (0..<Self.count).reversed())
            #expect(document.indexByteCount > tape + 6 * Self.count)
            #expect(document.indexByteCount < tape + 12 * Self.count + 256)
        }
    }
}
