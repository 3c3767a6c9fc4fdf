#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacTransfer

/// The messages of a protocol for resumable uploads: its requests, and the meaning of the responses (pure).
protocol UploadWire: Sendable {
    /// Returns the fields of the request that creates the upload.
    func creation(_ source: UploadSource) throws(TarmacError) -> HTTPFields
    /// The fields of every other request.
    var common: HTTPFields { get }
    /// The media type of appended bytes.
    var contentType: String { get }
    /// Returns the fields of a request that appends at an offset.
    func append(at offset: Int64, isLast: Bool) -> HTTPFields
    /// Returns the field with the checksum of the appended bytes.
    func checksum(_ digest: [UInt8], _ algorithm: DigestAlgorithm) -> HTTPField
    /// The fields of the request that asks for the server's abilities.
    var question: HTTPFields { get }
    /// Returns the abilities in the response to that request.
    func abilities(_ headers: HTTPFields) throws(TarmacError) -> UploadAbilities
    /// Returns the state of an upload in a response.
    func state(_ headers: HTTPFields, now: Date) throws(TarmacError) -> UploadAnswer
    /// Whether an upload is complete with its last byte, or only when the server says so.
    var endsWithLastByte: Bool { get }
    /// Whether a successful append without an offset breaks the protocol; otherwise the server is asked for the offset.
    var statesOffset: Bool { get }
}

extension UploadWire {
    /// Returns the request that creates the upload, from that of the endpoint, whose own fields stay.
    func creation(_ source: UploadSource, _ request: Request) throws(TarmacError) -> Request {
        var request = request
        for field in try creation(source) where !request.headers.contains(field.name) { request.headers.append(field) }
        return request
    }
}

/// The state of an upload in a response; `nil` where the response does not state it.
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

/// The names of fields; each is a token.
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

    /// Returns the members of a list; `nil` without the field.
    static func list(_ name: HTTPField.Name, in headers: HTTPFields) -> [String]? {
        let values = headers[values: name]
        return values.isEmpty ? nil : values.flatMap { $0.split(separator: ",") }.map(\.trimmed).filter { !$0.isEmpty }
    }

    /// Returns a number; `nil` without the field. Throws an error for an invalid number.
    static func number(_ name: HTTPField.Name, in headers: HTTPFields) throws(TarmacError) -> Int64? {
        guard let text = headers[values: name].first?.trimmed else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw TarmacError(.uploadProtocolFailed, phase: .judging, "the server's \(name.rawName) is no number")
        }
        return number
    }
}
