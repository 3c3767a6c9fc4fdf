import Foundation
import Testing

@testable import TarmacJSON

/// Generated documents and types, decoded and encoded by this module and by Foundation.
@Suite struct DifferentialTests {
    /// Seeds × rounds pairs are compared.
    static let seeds: Range<UInt64> = 0..<25
    static let rounds = 1000

    @Test(arguments: seeds)
    func treesAreThoseOfFoundation(_ seed: UInt64) throws {
        var generator = TextGenerator(seed: seed)
        let theirs = JSONDecoder()
        for _ in 0..<Self.rounds {
            let text = generator.value(depth: 4)
            let data = Data(text.utf8)
            let mine = try TarmacJSONDecoder().decode(Tree.self, from: data)
            #expect(mine == (try theirs.decode(Tree.self, from: data)), "\(text)")
        }
    }

    @Test(arguments: seeds)
    func modelsAreThoseOfFoundation(_ seed: UInt64) throws {
        var generator = TextGenerator(seed: 1000 + seed)
        let theirs = JSONDecoder()
        for _ in 0..<Self.rounds {
            let text = generator.model()
            let data = Data(text.utf8)
            let mine = Result { try TarmacJSONDecoder().decode(Model.self, from: data) }
            let other = Result { try theirs.decode(Model.self, from: data) }
            switch (mine, other) {
            case (.success(let left), .success(let right)): #expect(left == right, "\(text)")
            case (.failure(let left as DecodingError), .failure(let right as DecodingError)):
                // Foundation forgets the path of numbers that do not fit, and calls them bad JSON.
                if left.kind != "dataCorrupted" {
                    #expect(left.kind == right.kind, "\(text)")
                    #expect(left.context?.codingPath.map(\.stringValue) == right.context?.codingPath.map(\.stringValue), "\(text)")
                }
            default: Issue.record("\(text): \(mine) and \(other)")
            }
        }
    }

    @Test(arguments: seeds)
    func damagedTextIsRefusedOrMeansTheSame(_ seed: UInt64) throws {
        var generator = TextGenerator(seed: 2000 + seed)
        let theirs = JSONDecoder()
        for _ in 0..<Self.rounds {
            let data = Data(generator.damaged(Array(generator.value(depth: 3).utf8)))
            guard let mine = try? TarmacJSONDecoder().decode(Tree.self, from: data) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if Self.isKnownToDiffer(text) { continue }
            #expect(mine == (try theirs.decode(Tree.self, from: data)), "\(text)")
        }
    }

    /// The last two rows of the table at `TarmacJSONDecoder`.
    private static func isKnownToDiffer(_ text: String) -> Bool {
        text.contains(/[eE]-[0-9]{3}/) || text.contains(/[0-9]{16}\.[0-9]/)
    }

    @Test(arguments: seeds)
    func encodedTreesMeanTheSame(_ seed: UInt64) throws {
        var generator = TextGenerator(seed: 3000 + seed)
        let sorted = JSONEncoder()
        sorted.outputFormatting = .sortedKeys
        var mine = TarmacJSONEncoder()
        mine.outputFormatting = .sortedKeys
        for _ in 0..<Self.rounds {
            let tree = try TarmacJSONDecoder().decode(Tree.self, from: Array(generator.value(depth: 3).utf8))
            let left = String(decoding: try mine.encodeBytes([tree]), as: UTF8.self)
            #expect(left == String(decoding: try sorted.encode([tree]), as: UTF8.self))
        }
    }
}

struct Model: Codable, Equatable {
    struct Inner: Codable, Equatable { var x: Int8?; var y: [Float]; var z: [String: Bool] }
    enum Kind: String, Codable { case one, two }
    var a: Int
    var b: Double?
    var c: String
    var d: [UInt16]
    var e: Inner?
    var f: Kind
    var g: [[Inner]]
}

struct TextGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func upTo(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func pick<T>(_ values: [T]) -> T { values[upTo(values.count)] }
    private mutating func space() -> String { upTo(6) == 0 ? pick([" ", "\n", "\t", "\r\n", "    ", "\n                  "]) : "" }

    mutating func value(depth: Int) -> String {
        let text: String
        switch upTo(depth > 0 ? 9 : 5) {
        case 0: text = pick(["null", "true", "false"])
        case 1, 2: text = number()
        case 3, 4: text = string()
        case 5, 6: text = "[" + (0..<upTo(5)).map { _ in value(depth: depth - 1) }.joined(separator: ",") + space() + "]"
        default: text = "{" + (0..<upTo(5)).map { _ in space() + string() + space() + ":" + value(depth: depth - 1) }.joined(separator: ",") + space() + "}"
        }
        return space() + text + space()
    }

    mutating func number() -> String {
        switch upTo(8) {
        case 0: return pick(["0", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e5", "0.1", "-0.0", "1E+2", "1e-2", "2.5e3"])
        case 1, 2: return String(Int.random(in: -1000...1000, using: &random))
        case 3: return String(Int64(bitPattern: random.next()))
        case 4: return Double.random(in: -1e6...1e6, using: &random).description
        case 5: return Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF | 0x1000_0000_0000_0000).description
        case 6: return "\(upTo(1000)).\(upTo(1_000_000))"
        default: return "\(upTo(100_000))e\(upTo(40) - 20)"
        }
    }

    mutating func string() -> String {
        let pieces = [
            "a", "b", "key", "é", "中文", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000", " ", "some longer plain text", "\u{7F}",
            "\\t",
        ]
        return "\"" + (0..<upTo(5)).map { _ in pick(pieces) }.joined() + "\""
    }

    /// Mostly fitting `Model`, in any order, with gaps and surprises.
    mutating func model() -> String {
        var members = [
            "\"a\":\(pick(["1", "-7", "1.0", "1e3", "1.5", "null", "\"x\"", "99999999999999999999"]))",
            "\"b\":\(upTo(4) == 0 ? "null" : number())", "\"c\":\(string())",
            "\"d\":[\((0..<upTo(4)).map { _ in pick(["1", "65535", "65536", "-1", "2"]) }.joined(separator: ","))]",
            "\"e\":\(upTo(4) == 0 ? "null" : inner())", "\"f\":\(pick(["\"one\"", "\"two\"", "\"one\"", "\"three\"", "1"]))",
            "\"g\":[[\(inner())],[],[\(inner()),\(inner())]]", "\(string()):\(value(depth: 2))",
        ]
        if upTo(10) == 0 { members.remove(at: upTo(members.count)) }
        return space() + "{" + members.shuffled(using: &random).joined(separator: "," + space()) + "}"
    }

    private mutating func inner() -> String {
        let members = [
            "\"x\":\(pick(["1", "-128", "128", "null"]))", "\"y\":[\(pick(["1.5", "-2", "0.25", "3e10", "1e-5", "1e39", "16777217", "0.1"])),0.1]",
            "\"z\":{\(string()):\(pick(["true", "false", "true", "0"]))}",
        ]
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }

    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...upTo(2) where !bytes.isEmpty {
            let place = upTo(bytes.count)
            switch upTo(5) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = UInt8(truncatingIfNeeded: upTo(256))
            case 2: bytes.insert(pick(Array("{}[],:\"\\0e-.u".utf8)), at: place)
            case 3: bytes.removeLast(bytes.count - place)
            default: bytes[place] = pick(Array("{}[],:\"\\0123456789+-.eEtfnul \n".utf8))
            }
        }
        return bytes
    }
}
