import Testing

@testable import TarmacJSON

/// What is accepted is what the grammar accepts: on all short texts, and on documents with one byte changed.
@Suite struct GrammarAgreementTests {
    private func differs(_ bytes: [UInt8]) -> Bool {
        ((try? JSONDocument(bytes)) != nil) != ReferenceGrammar.accepts(bytes)
    }

    private func expectAgreement(_ texts: some Sequence<[UInt8]>, accepted: ClosedRange<Int>) {
        var count = 0
        var different: [[UInt8]] = []
        for text in texts {
            if ReferenceGrammar.accepts(text) { count += 1 }
            if differs(text) { different.append(text) }
        }
        #expect(different.isEmpty, "\(different.prefix(5).map { String(decoding: $0, as: UTF8.self) })")
        #expect(accepted.contains(count))
    }

    /// All texts of up to `length` of these letters.
    private func texts(_ letters: String, length: Int) -> [[UInt8]] {
        (0..<length).reduce(into: (all: [[]], last: [[UInt8]()])) { texts, _ in
            texts.last = texts.last.flatMap { text in letters.utf8.map { text + [$0] } }
            texts.all += texts.last
        }.all
    }

    @Test func allShortStructures() { expectAgreement(texts("[]{},:\"1 n", length: 4), accepted: 20...200) }
    @Test func allShortNumbers() { expectAgreement(texts("01-+.eE", length: 5), accepted: 100...2000) }
    @Test func allShortStrings() { expectAgreement(texts("\\u\"b0\n", length: 5).map { [0x22] + $0 }, accepted: 100...2000) }

    /// Each sort of value, separator and character.
    static let documents = [
        #"{"a":[1,-2.5e+3,0],"b":null}"#, #" [ true , false,{} ,[ ] , "" ] "#, #"["\u00e9\uD83D\uDE00\n","é中😀"]"#, "-0.1E-2",
        #"{"k":{"k":"long enough for eight bytes"}}"#,
    ]

    @Test(arguments: documents)
    func everyChangeOfOneByte(_ document: String) {
        let bytes = Array(document.utf8)
        let changed = bytes.indices.lazy.flatMap { place in
            (UInt8.min...UInt8.max).lazy.map { byte -> [UInt8] in
                var copy = bytes
                copy[place] = byte
                return copy
            }
        }
        expectAgreement(changed, accepted: bytes.count...bytes.count * 256)
    }

    @Test(arguments: documents)
    func everyByteTakenOutOrPutIn(_ document: String) {
        let bytes = Array(document.utf8)
        let shorter = bytes.indices.map { Array(bytes[..<$0] + bytes[($0 + 1)...]) }
        let longer = bytes.indices.flatMap { place in Array("[]{},:\"\\0-.eu \n\u{1}".utf8).map { Array(bytes[..<place] + [$0] + bytes[place...]) } }
        expectAgreement(shorter + longer, accepted: 1...bytes.count * 20)
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func damagedDocuments(_ seed: UInt64) {
        var texts = TextGenerator(seed: 8000 + seed)
        expectAgreement((0..<1000).map { _ in texts.damaged(Array(texts.value(depth: 3).utf8)) }, accepted: 20...900)
    }

    @Test(arguments: [0, 1, 511, 512, 513, 600])
    func depths(_ depth: Int) {
        for (open, close) in [("[", "]"), ("{\"\":[", "]}"), ("[{\"a\":", "}]")] {
            for inner in ["", "1"] {
                expectAgreement([Array((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)], accepted: 0...1)
            }
        }
    }
}
