#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore

/// Checks property lists before Foundation decodes them. Foundation's decoder reads nested lists by recursion and follows
/// every reference, so a short response could end the process or exhaust its memory.
enum PropertyListCheck {
    /// The maximum depth of nested arrays, dictionaries and elements.
    static let depth = 128

    /// The property list in the body of a response. A binary list stays unchanged; an XML list becomes UTF-8.
    ///
    /// - Parameter text: makes the text of the body. It is called only if the body is no binary list.
    /// - Throws: `TarmacError(.decodingFailed)` if the list is malformed or unsafe.
    static func data(_ bytes: Bytes, text: () throws(TarmacError) -> String) throws(TarmacError) -> Data {
        if bytes.withUnsafeBytes({ $0.starts(with: "bplist".utf8) }) {
            var walk = BinaryPropertyList(bytes.array)
            if let reason = walk.fault() { throw refusal(reason) }
            return bytes.data
        }
        return Data(Array(declaration.utf8) + (try xml(try text())))
    }

    // Foundation must read the bytes that were checked, so it must not detect an encoding of its own.
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
