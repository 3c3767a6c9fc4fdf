#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Decodes text in the charset that the server states, as a `String` or as UTF-8.
///
/// A byte order mark takes precedence over the stated charset. Without both, the text is UTF-8 (RFC 8259 §8.1
/// for JSON). The decoder does not guess or replace bytes: an invalid byte causes `.decodingFailed` with the
/// charset and the offset of the byte, and so does an unknown charset of text. Use a `Data` value to read such a body
/// yourself.
package enum TextDecoder {
    /// Returns the text of a body.
    ///
    /// - Parameter charset: the `charset` parameter of the body's media type.
    package static func decode(_ bytes: Bytes, charset: String?) throws(TarmacError) -> String {
        guard let plan = plan(bytes, charset: charset) else { throw unknown(String(charset?.prefix(40) ?? "")) }
        guard plan.encoding != .utf8 else { return try validated(bytes, plan) }
        return try transcoded(bytes, plan).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text of a body as UTF-8 without a byte order mark, for a JSON parser.
    ///
    /// A charset that is not known says nothing: JSON has no such parameter (RFC 8259 §11).
    ///
    /// If the bytes are in UTF-8, or in ASCII and in a charset that includes it, they are returned without a
    /// check and without a copy.
    package static func utf8(_ bytes: Bytes, charset: String?) throws(TarmacError) -> Bytes {
        let plan = plan(bytes, charset: charset) ?? Plan()
        if plan.encoding != .utf8 { return try transcoded(bytes, plan) }
        return plan.skipped == 0 ? bytes : bytes.withUnsafeBytes { Bytes([UInt8]($0.dropFirst(plan.skipped))) }
    }

    private struct Plan {
        var encoding = CharacterEncoding.utf8
        /// The length of the byte order mark.
        var skipped = 0
        /// The name of the charset for errors.
        var name = "utf-8"
    }

    /// Returns `nil` for a charset that is not known.
    private static func plan(_ bytes: Bytes, charset: String?) -> Plan? {
        if let mark = bytes.withUnsafeBytes(CharacterEncoding.sniff) {
            return Plan(encoding: mark.encoding, skipped: mark.length, name: "the \(mark.encoding) of its byte order mark")
        }
        guard let charset, !charset.isEmpty, charset != "utf-8" else { return Plan() }
        return CharacterEncoding(label: charset).map { Plan(encoding: $0, name: String(charset.prefix(40))) }
    }

    private static func validated(_ bytes: Bytes, _ plan: Plan) throws(TarmacError) -> String {
        try bytes.withUnsafeBytes { whole throws(TarmacError) in
            let text = UnsafeRawBufferPointer(rebasing: whole[plan.skipped...]).bindMemory(to: UInt8.self)
            if let string = String(bytes: text, encoding: .utf8) { return string }
            throw invalid(plan.name, at: plan.skipped + UnicodeTranscoder.validUTF8Prefix(text))
        }
    }

    private static func transcoded(_ bytes: Bytes, _ plan: Plan) throws(TarmacError) -> Bytes {
        try bytes.withUnsafeBytes { whole throws(TarmacError) in
            let text = UnsafeRawBufferPointer(rebasing: whole[plan.skipped...])
            if plan.encoding.includesASCII, text.allSatisfy({ $0 < 0x80 }) { return bytes }
            switch transcode(text, from: plan.encoding) {
            case .utf8(let utf8): return utf8
            case .invalid(let offset): throw invalid(plan.name, at: offset.map { $0 + plan.skipped })
            case .unavailable: throw unknown(plan.name)
            }
        }
    }

    private static func transcode(_ text: UnsafeRawBufferPointer, from encoding: CharacterEncoding) -> Transcoded {
        switch encoding {
        case .utf8: .utf8(Bytes([UInt8](text)))
        case .utf16(let order): UnicodeTranscoder.utf16(text, order)
        case .utf32(let order): UnicodeTranscoder.utf32(text, order)
        case .windows1252: .utf8(Windows1252.utf8(text))
        case .legacy(let name): PlatformTranscoder.utf8(text, from: name)
        }
    }

    private static func invalid(_ charset: String, at offset: Int?) -> TarmacError {
        let place = offset.map { " at byte offset \($0)" } ?? ""
        return TarmacError(
            .decodingFailed, phase: .decoding, "the text is not valid in \(charset)\(place)",
            suggestion: "ask the server for the charset it really uses, or land in Data")
    }

    private static func unknown(_ charset: String) -> TarmacError {
        TarmacError(
            .decodingFailed, phase: .decoding, "the charset \"\(charset)\" is not known here",
            suggestion: "land in Data and convert it yourself")
    }
}

/// The result of a conversion to UTF-8.
enum Transcoded: Equatable {
    case utf8(Bytes)
    /// The offset of the first invalid byte, if the platform reports it.
    case invalid(offset: Int?)
    /// This platform cannot convert from the encoding.
    case unavailable
}

extension CharacterEncoding: CustomStringConvertible {
    var description: String {
        switch self {
        case .utf8: "utf-8"
        case .utf16(let order): order == .little ? "utf-16le" : "utf-16be"
        case .utf32(let order): order == .little ? "utf-32le" : "utf-32be"
        case .windows1252: "windows-1252"
        case .legacy(let name): name
        }
    }
}
