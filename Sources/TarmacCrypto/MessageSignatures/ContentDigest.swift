#if Crypto
import Crypto
import HTTPTypes
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The digest of a body as transferred, in the field Content-Digest (RFC 9530 §2).
public enum ContentDigest: String, Sendable, Hashable, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"

    static let name = HTTPField.Name("Content-Digest") ?? .contentType

    /// Returns the value of the field.
    func value(of body: Bytes) -> String { "\(rawValue)=:\(Data(digest(body)).base64EncodedString()):" }

    private func digest(_ body: Bytes) -> [UInt8] {
        body.withUnsafeBytes { bytes in
            switch self {
            case .sha256: Array(SHA256.hash(data: bytes))
            case .sha512: Array(SHA512.hash(data: bytes))
            }
        }
    }

    /// Adds the digest to a request with a body in memory, unless the request already has a correct one.
    func describe(_ request: inout Request) {
        guard !request.body.isNone, let body = request.body.buffered else { return }
        if let text = request.headers[Self.name], (try? Self.check(body, text)) != nil { return }
        request.headers[Self.name] = value(of: body)
    }

    /// Checks a received field: it has at least one digest of a known algorithm, and each of those matches.
    static func check(_ body: Bytes, _ text: String) throws(TarmacError) {
        guard let fields = try? StructuredField.dictionary(text) else { throw .badSignature("its Content-Digest is malformed, or too long to be read") }
        var checked = 0
        for (name, member) in fields {
            guard let algorithm = ContentDigest(rawValue: name) else { continue }
            guard let data = member.bare?.data, Array(data) == algorithm.digest(body) else { throw .badSignature("the body does not fit its Content-Digest") }
            checked += 1
        }
        if checked == 0 { throw .badSignature("its Content-Digest is neither sha-256 nor sha-512") }
    }
}
#endif
