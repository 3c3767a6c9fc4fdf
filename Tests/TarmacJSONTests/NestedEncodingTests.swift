import Foundation
import Testing

@testable import TarmacJSON

/// Containers that are asked for again, and what is taken back after an error.
@Suite struct NestedEncodingTests {
    /// Runs a closure as the encoding of a value.
    private struct Script: Encodable {
        let run: (any Encoder) throws -> Void
        init(_ run: @escaping (any Encoder) throws -> Void) { self.run = run }
        func encode(to encoder: any Encoder) throws { try run(encoder) }
    }

    private typealias Key = AnyCodingKey

    private func text(_ value: some Encodable, _ formatting: JSON.WritingOptions = .sortedKeys) throws -> String {
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encodeBytes(value), as: UTF8.self)
    }

    private func theirs(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// What both write.
    private func same(_ expected: String, _ run: @escaping (any Encoder) throws -> Void) throws {
        #expect(try text(Script(run)) == expected)
        #expect(try theirs(Script(run)) == expected)
        #expect(try text([Script(run)]) == "[\(expected)]")
    }

    @Test func subclassesShareNestedContainers() throws {
        class Animal: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var attributes = container.nestedContainer(keyedBy: Key.self, forKey: Key("attributes"))
                try attributes.encode(4, forKey: Key("legs"))
                var tags = container.nestedUnkeyedContainer(forKey: Key("tags"))
                try tags.encode("animal")
            }
        }
        final class Dog: Animal {
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Key.self)
                var attributes = container.nestedContainer(keyedBy: Key.self, forKey: Key("attributes"))
                try attributes.encode("rex", forKey: Key("name"))
                var tags = container.nestedUnkeyedContainer(forKey: Key("tags"))
                try tags.encode("dog")
            }
        }
        let expected = #"{"attributes":{"legs":4,"name":"rex"},"tags":["animal","dog"]}"#
        #expect(try text(Dog()) == expected)
        #expect(try text(Dog(), []) == expected)
        #expect(try theirs(Dog()) == expected)
    }

    @Test func containersAskedForTwiceAreOne() throws {
        try same(#"{"k":{"a":1,"b":2,"c":3}}"#) {
            var container = $0.container(keyedBy: Key.self)
            var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try first.encode(1, forKey: Key("a"))
            var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try second.encode(2, forKey: Key("b"))
            try first.encode(3, forKey: Key("c"))
        }
        try same(#"{"k":[1,2,3],"n":[3,3]}"#) {
            var container = $0.container(keyedBy: Key.self)
            var first = container.nestedUnkeyedContainer(forKey: Key("k"))
            try first.encode(1)
            var second = container.nestedUnkeyedContainer(forKey: Key("k"))
            try second.encode(2)
            try first.encode(3)
            try container.encode([first.count, second.count], forKey: Key("n"))
        }
    }

    @Test func nestedContainersGoOnWhereAWholeValueStands() throws {
        struct Point: Encodable { var x = 1; var name = "a\"},{[b"; var list = [[1], [2]] }
        try same(#"{"k":{"list":[[1],[2]],"name":"a\"},{[b","x":2,"y":[true]},"z":[1,[2],3]}"#) {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(Point(), forKey: Key("k"))
            try container.encode([Script { try 1.encode(to: $0) }, Script { try [2].encode(to: $0) }], forKey: Key("z"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            var inner = nested.nestedUnkeyedContainer(forKey: Key("y"))
            try nested.encode(2, forKey: Key("x"))
            try inner.encode(true)
            var list = container.nestedUnkeyedContainer(forKey: Key("z"))
            try list.encode(3)
        }
        try same(#"{"e":{"a":1},"f":[1]}"#) {
            var container = $0.container(keyedBy: Key.self)
            try container.encode([String: Int](), forKey: Key("e"))
            try container.encode([Int](), forKey: Key("f"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("e"))
            try nested.encode(1, forKey: Key("a"))
            var list = container.nestedUnkeyedContainer(forKey: Key("f"))
            try list.encode(1)
        }
    }

    @Test func reopenedValuesKeepTheirLayout() throws {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(["a": [1]], forKey: Key("k"))
            var nested = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try nested.encode(2, forKey: Key("b"))
        }
        #expect(try text(value, .prettyPrinted) == (try JSON(parsing: #"{"k":{"a":[1],"b":2}}"#)).prettyPrinted)
    }

    @Test func nestedContainersOfObjectsWithManyKeysAreFound() throws {
        try same(#"{"k":{"a":1,"b":2},\#((100..<400).map { "\"m\($0)\":0" }.joined(separator: ","))}"#) {
            var container = $0.container(keyedBy: Key.self)
            var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try first.encode(1, forKey: Key("a"))
            for number in 100..<400 {
                try container.encode(1, forKey: Key("m\(number)"))
                try? container.encode(Double.nan, forKey: Key("m\(number)"))
                try container.encode(0, forKey: Key("m\(number)"))
            }
            var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("k"))
            try second.encode(2, forKey: Key("b"))
        }
    }

    @Test func aCaughtErrorLeavesTheEarlierMemberOfItsKey() throws {
        try same(#"{"a":1,"b":2}"#) {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(1, forKey: Key("a"))
            try? container.encode(Double.nan, forKey: Key("a"))
            try container.encode(2, forKey: Key("b"))
        }
        try same(#"{"a":{"x":3},"b":2}"#) {
            var container = $0.container(keyedBy: Key.self)
            try container.encode(["x": 3], forKey: Key("a"))
            try? container.encode(
                Script {
                    var inner = $0.container(keyedBy: Key.self)
                    try inner.encode(1, forKey: Key("x"))
                    try inner.encode(2, forKey: Key("x"))
                    throw CancellationError()
                }, forKey: Key("a"))
            try container.encode(1, forKey: Key("b"))
            try container.encode(2, forKey: Key("b"))
        }
    }

    @Test func errorsBelowNestedContainersCarryTheWholePath() throws {
        let value = Script {
            var container = $0.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: Key("list"))
            try list.encode(0)
            var object = list.nestedContainer(keyedBy: Key.self)
            try container.encode(1, forKey: Key("later"))
            try object.encode(["x": [Double.nan]], forKey: Key("deep"))
        }
        let error = #expect(throws: EncodingError.self) { try text(["top": value]) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["top", "list", "Index 1", "deep", "x", "Index 0"])
    }

    /// A container must not be written to when the value is something else already, at the top too.
    @Test func containersBesideAScalarRefuseEveryWrite() {
        let value = Script {
            try 1.encode(to: $0)
            var container = $0.unkeyedContainer()
            #expect(container.codingPath.count < 2)
            #expect(container.count == 0)
            var nested = container.nestedContainer(keyedBy: Key.self)
            #expect(throws: EncodingError.self) { try nested.encode(1, forKey: Key("a")) }
            #expect(throws: EncodingError.self) { try 1.encode(to: container.superEncoder()) }
            try container.encode(2)
        }
        #expect(throws: EncodingError.self) { try text(value) }
        #expect(throws: EncodingError.self) { try text([value]) }
    }

    @Test func escapedContainersDoNoHarm() throws {
        final class Keeper { var kept: (any UnkeyedEncodingContainer)? }
        let keeper = Keeper()
        let value = Script {
            var container = $0.unkeyedContainer()
            keeper.kept = container.nestedUnkeyedContainer()
            try keeper.kept?.encode(1)
        }
        #expect(try text(value) == "[[1]]")
        try? keeper.kept?.encode(2)
        var inner = keeper.kept?.nestedUnkeyedContainer()
        try? inner?.encode(3)
    }

    /// One way down to the next level.
    private enum Way: CaseIterable { case value, keyed, unkeyed, superEncoder, element, elementKeyed, elementSuper, again }

    /// Levels that lead to each other by generated ways, with members before and after.
    private struct Deep: Encodable {
        let ways: ArraySlice<Way>

        func encode(to encoder: any Encoder) throws {
            guard let way = ways.first else { return try "end".encode(to: encoder) }
            let next = Deep(ways: ways.dropFirst())
            switch way {
            case .element, .elementKeyed, .elementSuper:
                var list = encoder.unkeyedContainer()
                try list.encode(ways.count)
                switch way {
                case .element: try list.encode(next)
                case .elementSuper: try next.encode(to: list.superEncoder())
                default:
                    var inner = list.nestedContainer(keyedBy: Key.self)
                    try list.encode("after")
                    try inner.encode(next, forKey: Key("in"))
                }
            default:
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(ways.count, forKey: Key("before"))
                try write(next, way, to: &container)
                try container.encode([ways.count], forKey: Key("after"))
            }
        }

        private func write(_ next: Deep, _ way: Way, to container: inout KeyedEncodingContainer<Key>) throws {
            switch way {
            case .keyed:
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
                try inner.encode(next, forKey: Key("in"))
            case .unkeyed:
                var inner = container.nestedUnkeyedContainer(forKey: Key("n"))
                try inner.encode(next)
            case .again:
                var inner = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
                try inner.encode(next, forKey: Key("first"))
                var again = container.nestedContainer(keyedBy: Key.self, forKey: Key("n"))
                try again.encode(2, forKey: Key("second"))
            case .superEncoder: try next.encode(to: container.superEncoder(forKey: Key("n")))
            default: try container.encode(next, forKey: Key("n"))
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func generatedNestsAreWrittenAsFoundationWrites(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: 4000 + seed)
        for depth in [3, 10, 60, 200] {
            let deep = Deep(ways: (0..<depth).map { _ in random.pick(Way.allCases) }[...])
            #expect(try text(deep) == theirs(deep), "seed \(seed), \(depth) levels")
        }
    }
}
