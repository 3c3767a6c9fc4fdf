#if Crypto
import HTTPTypes
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The header field `Tarmac-Sealed`, a dictionary (RFC 9651 §3.2) beside a sealed body:
///
/// `v=1, alg=A256GCM, kid="2026-11", type="application/json", id=:…:, t=1763752000`
///
/// `id`, 16 random bytes, and `t`, seconds since 1970, are in requests; `type` is present if the message had a media
/// type; `seal`, nonce and tag, is in a message without a body, so that a body cannot be removed.
struct SealedHead: Equatable {
    static let version: Int64 = 1
    static let idByteCount = 16
    static let mediaType = "application/vnd.tarmac.sealed"
    static let name = HTTPField.Name("Tarmac-Sealed") ?? .contentType
    /// The longest field that is read, in bytes.
    private static let lengthLimit = 1_024

    var keyID: String
    var algorithm: SealingAlgorithm
    /// The media type of the original body.
    var type: String?
    /// The id in base64, as it is authenticated.
    var id: String?
    var time: Int64?
    var seal: Data?

    init(_ key: SealingKey, type: String?, id: String? = nil, time: Int64? = nil) {
        keyID = key.id
        algorithm = key.algorithm
        self.type = type
        self.id = id
        self.time = time
    }

    /// Returns the field of a message; `nil` without one.
    ///
    /// - Throws: `.decryptionFailed` for a malformed field.
    static func of(_ headers: HTTPFields) throws(TarmacError) -> SealedHead? {
        guard let text = headers[name] else { return nil }
        return try SealedHead(parsing: text)
    }

    init(parsing text: String) throws(TarmacError) {
        guard text.utf8.count <= Self.lengthLimit, let members = SealedHeadReader.members(text) else {
            throw .unopenable("its Tarmac-Sealed field is malformed")
        }
        guard members["v"]?.integer == Self.version else { throw .unopenable("it is not of version \(Self.version)") }
        guard let keyID = members["kid"]?.string, SealingKey.isValid(keyID) else { throw .unopenable("it names no key") }
        guard let algorithm = members["alg"]?.token.flatMap(SealingAlgorithm.init(rawValue:)) else {
            throw .unopenable("it names no algorithm, or an unknown one")
        }
        self.keyID = keyID
        self.algorithm = algorithm
        type = members["type"]?.string
        id = members["id"]?.base64
        time = members["t"]?.integer
        if let member = members["seal"] {
            guard let seal = member.base64.flatMap({ Data(base64Encoded: $0) }), seal.count == AEAD.overhead else {
                throw .unopenable("its seal is malformed")
            }
            self.seal = seal
        }
    }

    func text() throws(TarmacError) -> String {
        var text = "v=\(Self.version), alg=\(algorithm.rawValue), kid=\"\(keyID)\""
        if let type { text += ", type=\"\(try Self.escaped(type))\"" }
        if let id { text += ", id=:\(id):" }
        if let time { text += ", t=\(time)" }
        if let seal { text += ", seal=:\(seal.base64EncodedString()):" }
        return text
    }

    /// Escapes text as in a string of RFC 9651 §3.3.3.
    private static func escaped(_ type: String) throws(TarmacError) -> String {
        guard type.utf8.count <= lengthLimit / 2, type.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw TarmacError(.invalidParameter, phase: .sending, "the Content-Type of the body is too long or not ASCII, so it cannot be sealed")
        }
        guard type.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else { return type }
        return type.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
#endif
