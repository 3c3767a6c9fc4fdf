import Foundation
import TarmacCore

/// Reads the certificates of a PEM file (RFC 7468 §5) as DER.
enum PEMCertificates {
    /// Returns the certificates.
    ///
    /// - Throws: `TarmacError(.unreadableFile)`.
    static func load(_ path: String) throws(TarmacError) -> [Data] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read")
        }
        return try read(Bytes(content), named: "the file \"\(path)\"")
    }

    static func read(_ text: Bytes, named name: String) throws(TarmacError) -> [Data] {
        let certificates = parse(String(decoding: text.array, as: UTF8.self))
        if certificates.isEmpty { throw TarmacError(.unreadableFile, "\(name) holds no certificate in PEM form") }
        return certificates
    }

    static func parse(_ text: String) -> [Data] {
        var certificates: [Data] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "-----BEGIN CERTIFICATE-----": lines = []
            case "-----END CERTIFICATE-----":
                if let body = lines, let data = Data(base64Encoded: body.joined()) { certificates.append(data) }
                lines = nil
            default: lines?.append(line)
            }
        }
        return certificates
    }
}
