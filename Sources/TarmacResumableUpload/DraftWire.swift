#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacDigest
import TarmacTransfer

/// Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload, interop version 8).
struct DraftWire: UploadWire {
    let settings: UploadProtocol

    var common: HTTPFields {
        settings.interopVersion.map { [UploadField.interopVersion: String($0)] } ?? [:]
    }
    var contentType: String { "application/partial-upload" }
    var endsWithLastByte: Bool { false }
    var statesOffset: Bool { false }

    func creation(_ source: UploadSource) throws(TarmacError) -> HTTPFields {
        var fields = common
        fields[UploadField.complete] = "?0"
        fields[UploadField.length] = String(source.length)
        // The media type of the whole file, of which the empty first request is the beginning.
        fields[.contentType] = MediaType.guessed(for: source.name)
        if let name = settings.metadata.map({ $0["filename"] }) ?? source.name, !name.isEmpty { fields[.contentDisposition] = Self.disposition(name) }
        return fields
    }

    /// Returns the draft's field for a file name (RFC 6266): ASCII as it is, and other names also in UTF-8 (RFC 8187).
    private static func disposition(_ name: String) -> String {
        let plain = String(decoding: name.utf8.map { (0x20...0x7E).contains($0) && !#""\%"#.utf8.contains($0) ? $0 : 0x5F }, as: UTF8.self)
        if plain == name { return "inline; filename=\"\(name)\"" }
        let coded = name.utf8.map { attributeCharacters.contains($0) ? String(UnicodeScalar($0)) : "%" + Hexadecimal.text([$0]).uppercased() }.joined()
        return "inline; filename=\"\(plain)\"; filename*=UTF-8''\(coded)"
    }

    private static let attributeCharacters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~".utf8)

    func append(at offset: Int64, isLast: Bool) -> HTTPFields {
        var fields = common
        fields[UploadField.offset] = String(offset)
        fields[UploadField.complete] = isLast ? "?1" : "?0"
        return fields
    }

    func checksum(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> HTTPField {
        HTTPField(name: DigestField.content, value: DigestField.value(digest, algorithm))
    }

    var question: HTTPFields { common }

    func abilities(_ headers: HTTPFields) throws(TarmacError) -> UploadAbilities {
        let limits = Self.limits(headers)
        return UploadAbilities(maxSize: limits?["max-size"], minSize: limits?["min-size"])
    }

    func state(_ headers: HTTPFields, now: Date) throws(TarmacError) -> UploadAnswer {
        var answer = UploadAnswer()
        answer.offset = Self.item(UploadField.offset, in: headers).flatMap(Self.number)
        answer.length = Self.item(UploadField.length, in: headers).flatMap(Self.number)
        answer.isComplete = Self.item(UploadField.complete, in: headers).flatMap { ["?1": true, "?0": false][$0] }
        // A member of a wrong type invalidates the whole field (§4.1.4 of the draft).
        guard let limits = Self.limits(headers) else { return answer }
        answer.maxSize = limits["max-size"]
        answer.minSize = limits["min-size"]
        answer.maxAppendSize = limits["max-append-size"]
        answer.minAppendSize = limits["min-append-size"]
        answer.expires = limits["max-age"].map { now + Double($0) }
        return answer
    }

    /// Returns the bare item of a structured field (RFC 9651 §3.3), without its parameters. A value of another type
    /// invalidates the field (§4.1 of the draft), and so does a repeated field.
    private static func item(_ name: HTTPField.Name, in headers: HTTPFields) -> String? {
        let values = headers[values: name]
        return values.count == 1 ? values[0].prefix { $0 != ";" }.trimmed : nil
    }

    private static func number(_ text: String) -> Int64? {
        (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }

    private static func limits(_ headers: HTTPFields) -> [String: Int64]? {
        var limits: [String: Int64] = [:]
        for member in headers[values: UploadField.limit].flatMap({ $0.split(separator: ",") }) {
            let halves = member.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard let key = halves.first, known.contains(key) else { continue }
            guard halves.count == 2, let number = number(halves[1].prefix { $0 != ";" }.trimmed) else { return nil }
            limits[key] = number
        }
        return limits
    }

    private static let known: Set<String> = ["max-size", "min-size", "max-append-size", "min-append-size", "max-age"]
}
