import Testing

@testable import TarmacJSON

/// Sorted and indented text comes straight from the encoder, and is that of the value's own writer.
@Suite struct LayoutTests {
    private static let layouts: [JSON.WritingOptions] = [
        [.sortedKeys], [.prettyPrinted], [.sortedKeys, .prettyPrinted], [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
    ]

    @Test(arguments: 0..<20)
    func modelsAreLaidOutLikeValues(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let tree = Tree.random(depth: 4, &generator)
            for layout in Self.layouts {
                var encoder = TarmacJSONEncoder()
                encoder.outputFormatting = layout.intersection(.withoutEscapingSlashes)
                let json = try JSON(parsing: encoder.encodeBytes(Sorted(tree)))
                encoder.outputFormatting = layout
                #expect(try String(decoding: encoder.encodeBytes(Sorted(tree)), as: UTF8.self) == String(decoding: json.bytes(layout), as: UTF8.self))
            }
        }
    }

    @Test func dictionariesAndRepeatedKeysAreSorted() throws {
        struct Model: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyCodingKey.self)
                try container.encode(["z": 1, "a/b": 2, "é": 3, "\u{1}": 4], forKey: AnyCodingKey("b"))
                try container.encode(1, forKey: AnyCodingKey("a"))
                var nested = container.nestedContainer(keyedBy: AnyCodingKey.self, forKey: AnyCodingKey("0"))
                try container.encode(2, forKey: AnyCodingKey("b"))
                try container.encode([["y": 1, "x": JSON.object]], forKey: AnyCodingKey("a"))
                try nested.encode([Int](), forKey: AnyCodingKey("n"))
                try nested.encode(JSON(["q": [1], "p": 2]), forKey: AnyCodingKey("m"))
            }
        }
        var encoder = TarmacJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try String(decoding: encoder.encodeBytes(Model()), as: UTF8.self) == #"{"0":{"m":{"p":2,"q":[1]},"n":[]},"a":[{"x":{},"y":1}],"b":2}"#)
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let pretty = try String(decoding: encoder.encodeBytes(Model()), as: UTF8.self)
        #expect(pretty == (try JSON(parsing: pretty).prettyPrinted))
    }

    @Test func keysAreSortedByTheirScalars() throws {
        let json = try JSON(parsing: #"{"é":1,"z":2,"e\u0301":3,"\u0001":4,"Z":5,"":6}"#)
        #expect(try String(decoding: json.bytes(.sortedKeys), as: UTF8.self) == #"{"":6,"\u0001":4,"Z":5,"e\u0301":3,"z":2,"é":1}"#)
    }
}

extension JSON {
    fileprivate static let object: JSON = [:]
}

/// Encodes objects in the order of their keys, so that what is compared does not depend on a dictionary's.
private struct Sorted: Encodable {
    let tree: Tree
    init(_ tree: Tree) { self.tree = tree }
    func encode(to encoder: any Encoder) throws {
        switch tree {
        case .object(let members):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for (key, value) in members.sorted(by: { $0.key > $1.key }) { try container.encode(Sorted(value), forKey: AnyCodingKey(key)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(Sorted(element)) }
        default: try tree.encode(to: encoder)
        }
    }
}

extension Tree {
    fileprivate static func random(depth: Int, _ generator: inout SeededGenerator) -> Tree {
        let kind = Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator)
        let count = Int.random(in: 0...4, using: &generator)
        switch kind {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .int(Int.random(in: -1000...1000, using: &generator))
        case 3: return .string("a/\"\u{2}é")
        case 4: return .double(0.5)
        case 5: return .array((0..<count).map { _ in random(depth: depth - 1, &generator) })
        default:
            let keys = (0..<count).map { _ in String("ab/\"\\é\u{1}".randomElement(using: &generator) ?? "x") }
            return .object(Dictionary(keys.map { ($0, random(depth: depth - 1, &generator)) }) { first, _ in first })
        }
    }
}
