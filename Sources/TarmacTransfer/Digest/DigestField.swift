#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import HTTPTypes
import TarmacCore

/// The fields Content-Digest and Repr-Digest (RFC 9530 §2, §3): dictionaries of algorithms and byte sequences.
package enum DigestField {
    package static let content = name("Content-Digest")
    static let representation = name("Repr-Digest")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
        return name
    }

    /// Returns the strongest digest in a field that can be checked; `nil` if there is none.
    ///
    /// Malformed digests, and those of insecure algorithms, are ignored (RFC 9530 §5).
    static func strongest(_ name: HTTPField.Name, in headers: HTTPFields) -> ExpectedDigest? {
        let found = headers[values: name].flatMap { $0.split(separator: ",") }.compactMap { digest($0) }
        // If a key repeats, the last one counts (RFC 9651 §4.2.2).
        return found.last { $0.algorithm == .sha512 } ?? found.last
    }

    /// Returns the field value for one digest.
    package static func value(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> String {
        "\(algorithm.rawValue)=:\(Data(digest).base64EncodedString()):"
    }

    /// Parses one member: `sha-256=:…:`, whose parameters are ignored.
    private static func digest(_ member: Substring) -> ExpectedDigest? {
        guard let equals = member.firstIndex(of: "=") else { return nil }
        let key = member[..<equals].trimmed, value = member[member.index(after: equals)...].trimmed
        guard let algorithm = DigestAlgorithm(rawValue: key), algorithm != .sha1, value.first == ":",
            let end = value.dropFirst().firstIndex(of: ":"), let data = Data(base64Encoded: String(value[value.index(after: value.startIndex)..<end]))
        else { return nil }
        return data.count == algorithm.byteCount ? ExpectedDigest(algorithm, data) : nil
    }
}
