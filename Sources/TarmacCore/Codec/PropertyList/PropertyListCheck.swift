#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Property lists as they may go to Foundation's decoder, which reads nested lists by recursion and follows every
/// reference: an answer of a few bytes could end the process, or fill its memory.
enum PropertyListCheck {
    /// How deep arrays, dictionaries and elements may stand in each other.
    static let depth = 128

    /// The list in the bytes of an answer: a binary one as it came, one of XML in UTF-8.
    ///
    /// - Parameter text: the bytes in the charset of the answer; asked only where they are no binary list.
    static func data(_ bytes: Bytes, text: () throws(TarmacError) -> String) throws(TarmacError) -> Data {
        if bytes.withUnsafeBytes({ $0.starts(with: "bplist".utf8) }) {
            var walk = BinaryPropertyList(bytes.array)
            if let reason = walk.fault() { throw refusal(reason) }
            return bytes.data
        }
        return Data(Array(declaration.utf8) + (try xml(try text())))
    }

    // Foundation is to see the very bytes that were looked at, and not to look for their encoding.
    private static let declaration = #"<?xml version="1.0" encoding="UTF-8"?>"#

    private static func xml(_ text: String) throws(TarmacError) -> [UInt8] {
        let document: XMLText
        do { document = try XMLText(text) } catch { throw refusal(error == .malformed ? "it is neither XML nor binary" : error.rawValue) }
        var scanner = XMLScanner(document.bytes)
        var depth = 0
        while let markup = scanner.next() {
            switch markup {
            case .start: depth += 1
            case .end: depth = max(0, depth - 1)
            case .skipped, .empty, .documentType(declares: false): continue
            case .malformed, .documentType(declares: true): throw refusal("it is not well-formed")
            }
            if depth > Self.depth { throw refusal("it is nested more than \(Self.depth) levels deep") }
        }
        return document.bytes
    }

    private static func refusal(_ reason: String) -> TarmacError {
        TarmacError(
            .decodingFailed, phase: .decoding, "the answer is no property list to be read: \(reason)",
            suggestion: "look at the body in error.response")
    }
}
