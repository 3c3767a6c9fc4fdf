import Foundation
import Testing

@testable import TarmacJSON

@Suite struct DecoderTests {
    struct Item: Codable, Equatable {
        var id: Int
        var name: String
        var price: Double?
        var tags: [String]
        var nested: [String: [Int]]?
        var active: Bool
    }

    private static let items =
        #"[{"id":1,"name":"a","price":1.5,"tags":["x","y"],"nested":{"k":[1,2]},"active":true},"#
        + #"{"active":false,"tags":[],"price":null,"name":"b\u00e9","id":2,"more":{"deep":[1]}}]"#

    @Test func decodesWhatFoundationDecodes() throws {
        let data = Data(Self.items.utf8)
        let mine = try TarmacJSONDecoder().decode([Item].self, from: data)
        #expect(mine == (try JSONDecoder().decode([Item].self, from: data)))
        #expect(mine.count == 2)
    }

    @Test func subtreeDecodesWithoutTheRest() throws {
        let document = try JSONDocument(#"{"code":0,"data":{"list":[{"a":1},{"a":"x"}]}}"#)
        let decoder = TarmacJSONDecoder()
        #expect(try decoder.decode([String: Int].self, from: document.root["data"]["list"][0]) == ["a": 1])
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([[String: Int]].self, from: document.root["data"]["list"])
        }
        #expect(error?.context?.codingPath.map(\.stringValue) == ["Index 1", "a"])
        #expect((error?.context?.underlyingError as? JSONError)?.path == ["data", "list", 1, "a"])
        #expect(try decoder.decode(Int?.self, from: document.root["gone"]) == nil)
        #expect(try decoder.decode([String: Int].self, from: ["built": 1]) == ["built": 1])
    }

    @Test func errorsAreThoseOfFoundation() throws {
        struct Outer: Codable { var list: [Item] }
        let texts = [
            #"{"list":[{"id":1}]}"#, #"{"list":[{"id":"x"}]}"#, #"{"list":[{"id":null}]}"#, #"{"list":{}}"#, "[]", "null",
            #"{"list":[1]}"#, #"{"list":[{"id":1,"name":"a","tags":[1],"active":true}]}"#,
            #"{"list":[{"id":1,"name":"a","tags":["a",null],"active":true}]}"#,
            #"{"list":[{"id":1,"name":"a","tags":[],"active":1}]}"#, #"{"list":[{"id":1,"name":"a","tags":[],"nested":{"a":[true]},"active":true}]}"#,
        ]
        for text in texts {
            let mine = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Outer.self, from: Data(text.utf8)) }
            let theirs = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Outer.self, from: Data(text.utf8)) }
            #expect(mine?.kind == theirs?.kind, "\(text)")
            #expect(mine?.context?.codingPath.map(\.stringValue) == theirs?.context?.codingPath.map(\.stringValue), "\(text)")
        }
    }

    @Test func invalidTextIsAJSONError() {
        let error = #expect(throws: JSONError.self) { try TarmacJSONDecoder().decode(Int.self, from: Data("[1,]".utf8)) }
        #expect(error?.offset == 3)
    }

    @Test func unfitNumbersCarryTheirPath() {
        let error = #expect(throws: DecodingError.self) {
            try TarmacJSONDecoder().decode([Int8].self, from: Data("[1,300]".utf8))
        }
        #expect(error?.kind == "dataCorrupted")
        #expect(error?.context?.codingPath.map(\.intValue) == [1])
        #expect((error?.context?.underlyingError as? JSONError)?.found == "number 300")
    }

    @Test func strategiesGiveFoundationsValues() throws {
        struct Model: Codable, Equatable { var date: Date; var data: Data; var ratio: Double; var url: URL; var sum: Decimal }
        let text = #"{"date":"2026-01-31T12:00:00Z","data":"aGk=","ratio":"inf","url":"https://a.example/b?c","sum":12.50}"#
        var mine = TarmacJSONDecoder()
        mine.dateDecodingStrategy = .iso8601
        mine.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let theirs = JSONDecoder()
        theirs.dateDecodingStrategy = .iso8601
        theirs.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try mine.decode(Model.self, from: Data(text.utf8)) == theirs.decode(Model.self, from: Data(text.utf8)))
        mine.dateDecodingStrategy = .millisecondsSince1970
        #expect(try mine.decode(Date.self, from: Data("1500".utf8)) == Date(timeIntervalSince1970: 1.5))
        mine.dateDecodingStrategy = .secondsSince1970
        #expect(try mine.decode(Date.self, from: Data("1.5".utf8)) == Date(timeIntervalSince1970: 1.5))
        mine.dateDecodingStrategy = .deferredToDate
        #expect(try mine.decode(Date.self, from: Data("1.5".utf8)) == Date(timeIntervalSinceReferenceDate: 1.5))
        mine.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try Double($0.singleValueContainer().decode(String.self).count)) }
        #expect(try mine.decode([Date].self, from: Data("[\"abc\"]".utf8)) == [Date(timeIntervalSince1970: 3)])
        let formatter = DateFormatter()
        formatter.dateFormat = "yyyy/MM/dd"
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.locale = Locale(identifier: "en_US_POSIX")
        mine.dateDecodingStrategy = .formatted(formatter)
        #expect(try mine.decode(Date.self, from: Data("\"1970/01/02\"".utf8)) == Date(timeIntervalSince1970: 86400))
        mine.dataDecodingStrategy = .deferredToData
        #expect(try mine.decode(Data.self, from: Data("[1,2]".utf8)) == Data([1, 2]))
    }

    @Test(arguments: [
        "first_name", "firstName", "_first_name", "first_name_", "__a_b__", "a__b", "url_value_2", "FIRST_NAME", "é_à", "_", "", "a_", "first_nameLast",
    ])
    func snakeCaseIsFoundations(_ key: String) throws {
        var mine = TarmacJSONDecoder()
        mine.keyDecodingStrategy = .convertFromSnakeCase
        let theirs = JSONDecoder()
        theirs.keyDecodingStrategy = .convertFromSnakeCase
        struct Keys: Decodable {
            var keys: [String]
            var found: Bool
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyCodingKey.self)
                keys = container.allKeys.map(\.stringValue)
                found = container.allKeys.allSatisfy(container.contains)
            }
        }
        let data = Data(#"{"\#(key)":1}"#.utf8)
        let read = try mine.decode(Keys.self, from: data)
        #expect(read.found)
        #expect(read.keys == (try theirs.decode(Keys.self, from: data).keys))
        #expect(try mine.decode([String: Int].self, from: data) == [key: 1])
    }

    @Test func snakeCaseWithoutStringsIsSnakeCase() {
        var generator = SeededGenerator(seed: 3)
        let letters = Array("abAB_1_é")
        for _ in 0..<20_000 {
            let raw = String((0..<Int.random(in: 0...8, using: &generator)).map { _ in letters.randomElement(using: &generator)! })
            for key in [SnakeCase.camel(raw), raw, raw.lowercased(), SnakeCase.camel(raw) + "a", String(SnakeCase.camel(raw).dropLast())] {
                let isMatch = key.withText { key in raw.withText { SnakeCase.isCamel(key, of: $0) } }
                #expect(isMatch == nil || isMatch == (SnakeCase.camel(raw) == key), "\(raw) \(key)")
            }
        }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func wideIntegersDecode() throws {
        #expect(try TarmacJSONDecoder().decode([Int128].self, from: Array("[170141183460469231731687303715884105727,-1]".utf8)) == [.max, -1])
        #expect(try TarmacJSONDecoder().decode([UInt64].self, from: Array("[18446744073709551615]".utf8)) == [.max])
        #expect(try JSON(parsing: TarmacJSONEncoder().encodeBytes([Int128.min]))[0].numberText == "-170141183460469231731687303715884105728")
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func wideIntegersOfAMissingSuperclassAreMissing() {
        struct Wide: Decodable {
            init(from decoder: any Decoder) throws {
                _ = try decoder.container(keyedBy: AnyCodingKey.self).superDecoder().singleValueContainer().decode(Int128.self)
            }
        }
        do {
            _ = try TarmacJSONDecoder().decode(Wide.self, from: Array("{}".utf8))
            Issue.record("nothing was there to decode")
        } catch DecodingError.valueNotFound(let type, let context) {
            #expect("\(type)" == "Int128")
            #expect(context.codingPath.map(\.stringValue) == ["super"])
        } catch { Issue.record("\(error)") }
    }

    @Test func customKeysSeeTheirPath() throws {
        struct Model: Decodable { var inner: Inner; struct Inner: Decodable { var value: Int } }
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            AnyCodingKey(String(path.last!.stringValue.dropFirst(path.count)))
        }
        #expect(try decoder.decode(Model.self, from: Data(#"{"xinner":{"xxvalue":3}}"#.utf8)).inner.value == 3)
    }

    @Test func largeObjectsAreFoundThroughAnIndex() throws {
        let members = (0..<500).map { #""key\#($0)":\#($0)"# }.joined(separator: ",")
        let data = Data("{\(members),\"key7\":0}".utf8)
        struct Model: Decodable { var key499: Int; var key7: Int; var key100: Int; var gone: Int? }
        let model = try TarmacJSONDecoder().decode(Model.self, from: data)
        #expect((model.key499, model.key7, model.key100) == (499, 7, 100))
        #expect(model.gone == nil)
        #expect(try TarmacJSONDecoder().decode([String: Int].self, from: data).count == 500)
    }

    @Test func containersBehaveLikeFoundations() throws {
        struct Probe: Decodable, Equatable {
            var log: [String] = []
            enum Key: String, CodingKey { case list, object, null, gone, scalar }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                log.append("\(container.contains(.null)) \(container.contains(.gone)) \(try container.decodeNil(forKey: .null))")
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                log.append("\(list.count ?? -1) \(list.currentIndex) \(try list.decodeNil())")
                log.append("\(try list.decode(Int.self)) \(try list.decodeNil()) \(list.currentIndex)")
                let inner = try list.nestedContainer(keyedBy: Key.self)
                log.append("\(try inner.decode(Int.self, forKey: .scalar)) \(inner.codingPath.map(\.stringValue))")
                log.append("\(try Int(from: list.superDecoder())) \(list.isAtEnd)")
                log.append("\((try? list.decode(Int.self)) == nil)")
                let object = try container.nestedContainer(keyedBy: Key.self, forKey: .object)
                log.append("\(try object.decodeIfPresent(String.self, forKey: .gone) ?? "-") \(object.allKeys.map(\.rawValue).sorted())")
                log.append("\(try Int(from: container.superDecoder(forKey: .scalar)))")
                log.append("\(try container.superDecoder().singleValueContainer().decodeNil())")
                log.append("\(decoder.codingPath.count) \((try? container.decodeNil(forKey: .gone)) == nil)")
            }
        }
        let data = Data(#"{"list":[1,null,{"scalar":2},3],"object":{"x":1,"null":2,"scalar":3},"null":null,"scalar":4}"#.utf8)
        let mine = try TarmacJSONDecoder().decode(Probe.self, from: data)
        let theirs = try JSONDecoder().decode(Probe.self, from: data)
        #expect(mine.log == theirs.log)
    }

    @Test func codingPathIsRightForEveryElement() throws {
        struct Probe: Decodable {
            var path: String
            init(from decoder: any Decoder) throws { path = decoder.codingPath.map(\.stringValue).joined(separator: "/") }
        }
        let data = Data(#"{"a":[{"x":0},[0,0],0],"b":0,"c":{"d":{"e":[0,[]]}}}"#.utf8)
        struct Tree: Decodable { var a: [Probe]; var b: Probe; var c: [String: [String: [Probe]]] }
        let tree = try TarmacJSONDecoder().decode(Tree.self, from: data)
        #expect(tree.a.map(\.path) == ["a/Index 0", "a/Index 1", "a/Index 2"])
        #expect(tree.c["d"]?["e"]?.map(\.path) == ["c/d/e/Index 0", "c/d/e/Index 1"])
        #expect(tree.b.path == "b")
    }

    @Test func userInfoArrives() throws {
        struct Probe: Decodable {
            var value: Int?
            init(from decoder: any Decoder) throws { value = decoder.userInfo[CodingUserInfoKey(rawValue: "x")!] as? Int }
        }
        var decoder = TarmacJSONDecoder()
        decoder.userInfo[CodingUserInfoKey(rawValue: "x")!] = 7
        #expect(try decoder.decode(Probe.self, from: Data("{}".utf8)).value == 7)
    }

    @Test func classesAndEnumsDecode() throws {
        class Base: Codable { var id = 0 }
        final class Derived: Base {
            var name = ""
            enum Key: String, CodingKey { case name }
            required init(from decoder: any Decoder) throws {
                try super.init(from: decoder)
                name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
            }
        }
        enum Shape: Codable, Equatable { case circle(radius: Double), square(Int), point }
        enum Level: Int, Codable { case low = 1, high }
        let derived = try TarmacJSONDecoder().decode(Derived.self, from: Data(#"{"name":"n","id":3}"#.utf8))
        #expect((derived.id, derived.name) == (3, "n"))
        let shapes = try TarmacJSONDecoder().decode([Shape].self, from: Data(#"[{"circle":{"radius":2}},{"square":{"_0":3}},{"point":{}}]"#.utf8))
        #expect(shapes == [.circle(radius: 2), .square(3), .point])
        #expect(try TarmacJSONDecoder().decode([Level: Set<Int>].self, from: Data("[1,[2,3]]".utf8)) == [.low: [2, 3]])
        #expect(try TarmacJSONDecoder().decode([Int: String].self, from: Data(#"{"4":"x"}"#.utf8)) == [4: "x"])
    }
}

extension DecodingError {
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context): context
        @unknown default: nil
        }
    }

    var kind: String {
        switch self {
        case .typeMismatch: "typeMismatch"
        case .valueNotFound: "valueNotFound"
        case .keyNotFound: "keyNotFound"
        case .dataCorrupted: "dataCorrupted"
        @unknown default: "?"
        }
    }
}
