#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore

/// The words of a protocol of resumable uploads: which requests it makes, and what the answers say (pure).
protocol UploadWire: Sendable {
    /// The fields of the request that makes a place for the upload.
    func creation(_ source: UploadSource) throws(TarmacError) -> HTTPFields
    /// The fields every other request carries.
    var common: HTTPFields { get }
    /// The media type of what is appended.
    var contentType: String { get }
    /// The fields of a request that appends at a position.
    func append(at offset: Int64, isLast: Bool) -> HTTPFields
    /// The field with the checksum of what is appended.
    func checksum(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> HTTPField
    /// The fields of the question what the server can do.
    var question: HTTPFields { get }
    /// What the answer to it says.
    func abilities(_ headers: HTTPFields) throws(TarmacError) -> UploadAbilities
    /// What an answer about an upload says.
    func state(_ headers: HTTPFields, now: Date) throws(TarmacError) -> UploadAnswer
    /// Whether an upload is complete by its last byte alone, or only when the server has said so.
    var endsWithLastByte: Bool { get }
    /// Whether a success without an offset, in answer to what was appended, breaks the protocol; or the server is asked then.
    var statesOffset: Bool { get }
}

/// What an answer about an upload says; `nil` where it is silent.
struct UploadAnswer: Equatable, Sendable {
    var offset: Int64?
    var isComplete: Bool?
    var length: Int64?
    var expires: Date?
    var maxSize: Int64?
    var minSize: Int64?
    var maxAppendSize: Int64?
    var minAppendSize: Int64?
}

/// Names of fields; each is a token.
enum UploadField {
    static let offset = name("Upload-Offset"), length = name("Upload-Length"), complete = name("Upload-Complete"), limit = name("Upload-Limit")
    static let interopVersion = name("Upload-Draft-Interop-Version")
    static let resumable = name("Tus-Resumable"), metadata = name("Upload-Metadata"), checksum = name("Upload-Checksum"), expires = name("Upload-Expires")
    static let maxSize = name("Tus-Max-Size"), version = name("Tus-Version"), extensions = name("Tus-Extension")
    static let checksums = name("Tus-Checksum-Algorithm")

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
        return name
    }

    /// The members of a list; `nil` without the field.
    static func list(_ name: HTTPField.Name, in headers: HTTPFields) -> [String]? {
        let values = headers[values: name]
        return values.isEmpty ? nil : values.flatMap { $0.split(separator: ",") }.map(\.trimmed).filter { !$0.isEmpty }
    }

    /// A number that is none is a fault of the server's, not silence.
    static func number(_ name: HTTPField.Name, in headers: HTTPFields) throws(TarmacError) -> Int64? {
        guard let text = headers[values: name].first?.trimmed else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw TarmacError(.uploadProtocolFailed, phase: .judging, "the server's \(name.rawName) is no number")
        }
        return number
    }
}
