#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacFormats

/// A document in a form that Foundation's parser accepts.
///
/// On Linux the parser crashes at a processing instruction without content after its target, which XML 1.0 §2.6 allows:
/// `<?target?>`. Such an instruction gets a space. The parser continues after malformed markup, and may then read a
/// comment or a literal as an instruction. Everything that looks like one is therefore changed.
enum ParserText {
    static func data(_ document: [UInt8]) -> Data {
        let ends = endsOfBareTargets(document)
        if ends.isEmpty { return Data(document) }
        let sections = sections(document)
        var (text, copied, section) = (Data(), 0, 0)
        for end in ends {
            while section < sections.count, sections[section].upperBound <= end { section += 1 }
            let isText = section < sections.count && sections[section].contains(end)
            text.append(contentsOf: document[copied..<end])
            text.append(contentsOf: (isText ? anotherSection : " ").utf8)
            copied = end
        }
        text.append(contentsOf: document[copied...])
        return text
    }

    /// Text must not change: split into two CDATA sections, it is the same.
    private static let anotherSection = "]]><![CDATA["

    /// Returns the positions of each `?>` without white space since `<?`.
    private static func endsOfBareTargets(_ document: [UInt8]) -> [Int] {
        var (ends, isTarget, position) = ([Int](), false, 0)
        while position + 1 < document.count {
            switch (document[position], document[position + 1]) {
            case (UInt8(ascii: "<"), UInt8(ascii: "?")):
                (isTarget, position) = (true, position + 1)
            case (UInt8(ascii: "?"), UInt8(ascii: ">")):
                if isTarget { ends.append(position) }
                isTarget = false
            case (0x20, _), (0x09, _), (0x0A, _), (0x0D, _): isTarget = false
            default: break
            }
            position += 1
        }
        return ends
    }

    /// Returns the CDATA sections, as far as the document is well-formed.
    private static func sections(_ document: [UInt8]) -> [Range<Int>] {
        var (sections, scanner) = ([Range<Int>](), XMLScanner(document))
        while let markup = scanner.next(), markup != .malformed {
            let range = scanner.range
            if markup == .skipped, document[range].starts(with: "<![CDATA[".utf8) { sections.append(range) }
        }
        return sections
    }
}
