import Foundation
import TarmacTesting
import TarmacXML
import Testing

/// Hostile text for the parser of the platform. `scripts/fuzz readers 60` spends a minute on it.
@Suite("Hostile XML", .timeLimit(.minutes(30)))
struct XMLFuzzTests {
    private static let seconds = ProcessInfo.processInfo.environment["TARMAC_FUZZ_SECONDS"].flatMap { Double($0) }
    private static let seed = ProcessInfo.processInfo.environment["TARMAC_FUZZ_SEED"].flatMap { UInt64($0) } ?? 39
    private static let pieces = [
        "<a>", "</a>", "<a/>", "<b c='d'>", "</b>", "<b", ">", "<", "'", "\"", "=", " ", "\n", "x", "é", "😀", "&amp;", "&#233;", "&#0;", "&#x110000;", "&e;",
        "&",
        "<!--", "-->", "--", "-", "<![CDATA[", "]]>", "]", "<?pi", "?>", "<?", "<?xml version='1.0'?>", "<!DOCTYPE a>", "<!DOCTYPE a [", "<!ENTITY e 'x'>",
        "<!", "xmlns:x='u'", " xmlns='v'", "x:y", "\u{1}", "\u{FFFE}", "\u{FEFF}", "<a b='1' b='2'>", "<x:y/>", "\r",
    ]

    @Test func noTextEndsTheProcessOrMakesMoreThanIsInIt() {
        var generator = SeededGenerator(seed: Self.seed), count = 0
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        while end.map({ ContinuousClock.now < $0 }) ?? (count < 3_000) {
            count += 1
            let text = Self.text(&generator)
            guard let tree = try? XMLTree(parsing: text, limits: XMLLimits(depth: 32, elements: 500, attributes: 50)) else { continue }
            #expect(Self.size(tree) <= text.utf8.count, "\(text)")
        }
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        var text = Bool.random(using: &generator) ? "<a>" : ""
        for _ in 0..<Int.random(in: 0...24, using: &generator) {
            let piece = pieces.randomElement(using: &generator) ?? ""
            let isRun = Int.random(in: 0..<12, using: &generator) == 0
            text += isRun ? String(repeating: piece, count: Int.random(in: 2...400, using: &generator)) : piece
        }
        return Bool.random(using: &generator) ? text + "</a>" : text
    }

    private static func size(_ tree: XMLTree) -> Int {
        tree.name.utf8.count + tree.text.utf8.count + tree.attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            + tree.children.reduce(0) { $0 + size($1) }
    }
}
