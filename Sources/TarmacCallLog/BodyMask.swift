#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import TarmacCore
package import TarmacMasking

/// Shows the kept part of a body: a text without its secrets, or an image (pure).
package struct BodyMask {
    let redactor: Redactor
    let known: KnownSecrets

    package init(redactor: Redactor, known: KnownSecrets) { (self.redactor, self.known) = (redactor, known) }

    /// Returns the text, or the Base64 of an image, or neither for bytes that may hold any secret.
    package func content(_ bytes: Bytes, type: MediaType?, isTruncated: Bool) -> (text: String?, base64: String?) {
        if let type, type.essence.hasPrefix("image/"), !type.isXML {
            return (nil, isTruncated || !Self.isImage(bytes) ? nil : bytes.data.base64EncodedString())
        }
        guard let text = Self.text(bytes, isTruncated: isTruncated) else { return (nil, nil) }
        guard Self.isText(type) || redactor.json(bytes) != nil else { return (nil, nil) }
        return (Self.cut(self.text(text, type: type), ifTruncated: isTruncated), nil)
    }

    /// Returns a text of a type without its secrets.
    package func text(_ text: String, type: MediaType?) -> String {
        if type?.essence == "application/x-www-form-urlencoded" { return redactor.text(redactor.form(text), known: known) }
        return redactor.text(text, known: known, isJSON: Self.isJSON(type))
    }

    /// Whether bytes of a type are text whose secrets can be found. The parts of a form may be anything.
    private static func isText(_ type: MediaType?) -> Bool {
        guard let type else { return false }
        return type.isJSON || type.isXML || type.essence.hasPrefix("text/") || textual.contains(type.essence)
    }

    /// Whether bytes of a type are JSON, or lines of it. Such a text may be cut off, and is not parsed then.
    private static func isJSON(_ type: MediaType?) -> Bool { type.map { $0.isJSON || documents.contains($0.essence) } ?? false }

    private static let documents: Set<String> = ["application/x-ndjson", "application/jsonl", "application/json-seq", "text/event-stream"]

    private static let textual: Set<String> = [
        "application/javascript", "application/x-javascript", "application/ecmascript", "application/graphql", "application/x-ndjson", "application/jsonl",
        "application/json-seq", "application/yaml", "application/x-yaml", "application/toml", "application/x-www-form-urlencoded",
    ]

    /// Returns the bytes as a text, without a character that was cut off. `nil` in another charset, in which secrets cannot be found.
    private static func text(_ bytes: Bytes, isTruncated: Bool) -> String? {
        bytes.withUnsafeBytes { buffer in
            if let text = String(validUTF8: buffer) { return text }
            guard isTruncated else { return nil }
            for dropped in 1...3 where buffer.count > dropped {
                if let text = String(validUTF8: UnsafeRawBufferPointer(rebasing: buffer.dropLast(dropped))) { return text }
            }
            return nil
        }
    }

    /// Removes the end of a truncated text. It may be the beginning of a secret, which no rule finds.
    static func cut(_ text: String, ifTruncated isTruncated: Bool) -> String {
        guard isTruncated else { return text }
        let kept = text.utf8.dropLast(unclear)
        guard let end = kept.lastIndex(where: isDelimiter) else { return "…" }
        return String(text[...end]) + "…"
    }

    /// The shortest known secrets are compared as a whole, and others by their first 64 bytes, which encodings make six times as long.
    private static let unclear = 384

    private static func isDelimiter(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>,;&{}[]()".utf8.contains(byte) }

    /// Whether the bytes begin as an image does. A type alone is only a claim.
    private static func isImage(_ bytes: Bytes) -> Bool {
        let start = [UInt8](bytes.prefix(12).array)
        let isRIFF = start.starts(with: "RIFF".utf8) && start.count == 12 && start[8...].elementsEqual("WEBP".utf8)
        let isAVIF = start.count == 12 && start[4..<8].elementsEqual("ftyp".utf8)
        return isRIFF || isAVIF || beginnings.contains { start.starts(with: $0) }
    }

    private static let beginnings: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("BM".utf8), [0, 0, 1, 0], [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A],
    ]
}
