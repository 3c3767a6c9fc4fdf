import Foundation
import Tarmac
import TarmacCore
import Testing

@Suite struct ParameterEncoderTests {
    // MARK: Shapes

    enum Color: String, Encodable { case red }
    enum Level: Int, Encodable { case high = 3 }
    enum Shape: Encodable { case circle(radius: Int) }
    struct Point: Encodable { var x: Int; var y: Int? }
    struct Tag: RawRepresentable, Encodable { var rawValue: String }

    struct Everything: Encodable {
        var text = "ä"
        var flag = true
        var int = -1
        var small: UInt8 = 255
        var big = UInt64.max
        var float: Float = 0.1
        var double = 2.5
        var decimal = Decimal(string: "19.99")!
        var url = URL(string: "https://h/p?q=1")!
        var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var date = Date(timeIntervalSince1970: 0)
        var data = Data([1, 2, 3])
        var color = Color.red
        var level = Level.high
        var shape = Shape.circle(radius: 2)
        var tag = Tag(rawValue: "t")
        var point: Point? = Point(x: 1)
        var nothing: Int?
        var list = [1, nil, 3]
        var points = [Point(x: 1, y: 2)]
        var map = ["b": 2, "a": 1]
        var set: Set<String> = ["b", "a", "c"]
    }

    @Test func everyKindOfFieldBecomesItsValueInOrder() throws {
        let expected: [(String, ParameterValue)] = [
            ("text", "ä"), ("flag", true), ("int", -1), ("small", 255), ("big", .uint(.max)), ("float", 0.1), ("double", 2.5),
            ("decimal", .decimal(Decimal(string: "19.99")!)), ("url", "https://h/p?q=1"),
            ("uuid", "01020304-0506-0708-090A-0B0C0D0E0F10"), ("date", .date(Date(timeIntervalSince1970: 0))),
            ("data", .data(Data([1, 2, 3]))), ("color", "red"), ("level", 3), ("shape", ["circle": ["radius": 2]]), ("tag", "t"),
            ("point", ["x": 1]), ("list", [1, .null, 3]), ("points", [["x": 1, "y": 2]]), ("map", ["a": 1, "b": 2]),
            ("set", ["a", "b", "c"]),
        ]
        let list = try ParameterEncoder().encode(Everything())
        #expect(list.map(\.name) == expected.map(\.0))
        for (name, value) in expected { #expect(list[name] == value, "\(name)") }
    }

    // MARK: Superclasses

    class Base: Encodable {
        var token = "t"
        var shared = "base"
        init() {}
    }

    final class BySuperEncoder: Base {
        var page = 1
        enum Key: String, CodingKey { case page, shared }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try super.encode(to: container.superEncoder())
            try container.encode(page, forKey: .page)
            try container.encode("sub", forKey: .shared)
        }
    }

    final class IntoTheSame: Base {
        var page = 1
        enum Key: String, CodingKey { case page }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(page, forKey: .page)
        }
    }

    @Test func aSuperclassAddsItsFields() throws {
        #expect(try ParameterEncoder().encode(BySuperEncoder()) == ["token": "t", "shared": "sub", "page": 1])
        #expect(try ParameterEncoder().encode(IntoTheSame()) == ["token": "t", "shared": "base", "page": 1])
        #expect(try ParameterEncoder().encode(["o": BySuperEncoder()])["o"]?["token"] == "t")
    }

    // MARK: Handwritten

    struct Handwritten: Encodable {
        enum Key: String, CodingKey { case a = "renamed", b, c, d, e }
        enum Inner: String, CodingKey { case x }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encodeNil(forKey: .a)
            var nested = container.nestedContainer(keyedBy: Inner.self, forKey: .b)
            var list = container.nestedUnkeyedContainer(forKey: .c)
            try container.encode(Int?.none, forKey: .d)
            try Point(x: 9).encode(to: container.superEncoder(forKey: .e))
            try list.encode(1)
            var inList = list.nestedContainer(keyedBy: Inner.self)
            var listInList = list.nestedUnkeyedContainer()
            try list.encodeNil()
            try Color.red.encode(to: list.superEncoder())
            try inList.encode(2, forKey: .x)
            try listInList.encode(3)
            #expect(list.count == 5)
            try nested.encode(4, forKey: .x)
        }
    }

    @Test func containersMayBeFilledInAnyOrder() throws {
        let list = try ParameterEncoder().encode(Handwritten())
        #expect(list.map(\.name) == ["renamed", "b", "c", "d", "e"])
        #expect(list["renamed"] == .null)
        #expect(list["b"] == ["x": 4])
        #expect(list["c"] == [1, ["x": 2], [3], .null, "red"])
        #expect(list["d"] == .null)
        #expect(list["e"] == ["x": 9])
    }

    struct Twice: Encodable {
        enum Key: String, CodingKey { case a, b }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            try container.encode(2, forKey: .b)
            try container.encode(3, forKey: .a)
        }
    }

    @Test func theLastValueOfAFieldWins() throws {
        #expect(try ParameterEncoder().encode(Twice()) == ["a": 3, "b": 2])
    }

    struct Empty: Encodable {}
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }

    @Test func whatHasNoFieldsHasNoParameters() throws {
        #expect(try ParameterEncoder().encode(Empty()).isEmpty)
        #expect(try ParameterEncoder().encode(Silent()).isEmpty)
        #expect(try ParameterEncoder().encode(Point?.none).isEmpty)
        #expect(try ParameterEncoder().encode(["a": Silent()])["a"] == .object([]))
    }

    @Test func aDictionaryIsSortedByItsKeys() throws {
        let map = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
        let names = try ParameterEncoder().encode(map).map(\.name)
        #expect(names == map.keys.sorted())
    }

    // MARK: Faults

    struct Bad: Encodable {
        struct Inner: Encodable { var numbers: [Double] }
        var filter: [Inner]
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func aNumberThatIsNotFiniteIsNamedByItsPath(number: Double) {
        let error = #expect(throws: TarmacError.self) {
            try ParameterEncoder().encode(Bad(filter: [.init(numbers: []), .init(numbers: [1, number])]))
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "filter[1].numbers[1]")
    }

    @Test func otherNumbersAndDatesThatCannotBeSentAreRefused() {
        #expect(refused(["a": Float.nan]) == "a")
        #expect(refused(["a": Decimal.nan]) == "a")
        #expect(refused(["a": Date(timeIntervalSince1970: .infinity)]) == "a")
        #expect(refused(["a": Double?.some(.nan)]) == "a")
    }

    private func refused(_ value: some Encodable) -> String? {
        do {
            _ = try ParameterEncoder().encode(value)
            return nil
        } catch { return error.code == .invalidParameter ? error.path : nil }
    }

    @Test func whatIsNoObjectIsRefused() {
        #expect(throws: TarmacError.self) { try ParameterEncoder().encode(7) }
        #expect(throws: TarmacError.self) { try ParameterEncoder().encode([1]) }
        #expect(throws: TarmacError.self) { try ParameterEncoder().encode("a") }
    }

    struct TwoKinds: Encodable {
        func encode(to encoder: any Encoder) throws {
            _ = encoder.container(keyedBy: Twice.Key.self)
            var list = encoder.unkeyedContainer()
            try list.encode(1)
        }
    }
    struct TwoSingles: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        }
    }

    @Test func moreThanOneKindOfContainerIsAnErrorInsteadOfATrap() {
        #expect(refused(["a": TwoKinds()]) == "a")
        #expect(refused(["a": TwoSingles()]) == "a")
    }

    struct Thrower: Encodable {
        struct Own: Error {}
        var standard: Bool
        func encode(to encoder: any Encoder) throws {
            guard standard else { throw Own() }
            throw EncodingError.invalidValue("hunter2", .init(codingPath: encoder.codingPath, debugDescription: "hunter2"))
        }
    }

    @Test func whatATypesOwnEncodeThrowsIsTheCause() {
        let own = #expect(throws: TarmacError.self) { try ParameterEncoder().encode(["a": Thrower(standard: false)]) }
        #expect(own?.cause(as: Thrower.Own.self) != nil)
        let standard = #expect(throws: TarmacError.self) { try ParameterEncoder().encode(["a": ["b": Thrower(standard: true)]]) }
        #expect(standard?.path == "a.b")
        #expect(standard?.description.contains("hunter2") == false)
    }

    // MARK: Single values

    @Test func anyValueCanBeEncodedAlone() throws {
        #expect(try ParameterEncoder().value(of: 7) == 7)
        #expect(try ParameterEncoder().value(of: [1, 2]) == [1, 2])
        #expect(try ParameterEncoder().value(of: Point(x: 1)) == ["x": 1])
        #expect(try ParameterEncoder().value(of: Int?.none) == .null)
        #expect(try ParameterEncoder().value(of: ParameterValue.array([1])) == [1])
    }
}
