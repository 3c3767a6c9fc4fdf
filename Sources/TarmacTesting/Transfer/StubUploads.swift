#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// A server for resumable uploads in memory, by tus 1.0.0 and the IETF draft, which interrupts requests on request.
///
/// ```swift
/// let server = StubUploads()
/// server.breakOff(after: [1000])                       // of the next body it takes 1000 bytes
/// let client = Client(transport: .stub { try server.answer($0) })
/// ```
public final class StubUploads: Sendable {
    /// An upload on the server.
    public struct Upload: Sendable {
        public var bytes: [UInt8] = []
        public var length: Int?
        public var metadata: String?
        public var isComplete = false
    }
    private struct State {
        var uploads: [String: Upload] = [:]
        var breaks: [Int] = []
        var next = 1
        var received = 0
    }
    private let state = Locked(State())
    /// The header fields of every response.
    private let fields: HTTPFields
    private let abilities: HTTPFields?

    /// - Parameters:
    ///   - fields: The header fields of every response, besides its own.
    ///   - abilities: The header fields of the response to OPTIONS; `nil` to refuse OPTIONS.
    public init(fields: HTTPFields = [:], abilities: HTTPFields? = nil) {
        self.fields = fields
        self.abilities = abilities
    }

    /// The uploads by their paths.
    public var uploads: [String: Upload] { state.withLock { $0.uploads } }
    /// The number of bytes received.
    public var bytesReceived: Int { state.withLock { $0.received } }

    /// Interrupts the next requests after these numbers of body bytes, without a response. If a body is shorter, only
    /// its response is lost.
    public func breakOff(after counts: [Int]) { state.withLock { $0.breaks += counts } }
    /// Removes all uploads.
    public func forget() { state.withLock { $0.uploads = [:] } }

    /// Returns the response to a request of either protocol.
    public func answer(_ request: Request) throws -> Response {
        switch request.method {
        case .post: created(request)
        case .head: told(request)
        case .patch: try appended(request)
        case .delete: removed(request)
        case .options where abilities != nil: .status(.noContent, headers: abilities ?? [:])
        default: .status(.methodNotAllowed)
        }
    }

    private func created(_ request: Request) -> Response {
        let path = state.withLock { state in
            let path = "/uploads/\(state.next)"
            state.next += 1
            state.uploads[path] = Upload(length: Self.number("Upload-Length", request), metadata: Self.text("Upload-Metadata", request))
            return path
        }
        return response(.created, ["Location": path])
    }

    private func told(_ request: Request) -> Response {
        guard let upload = uploads[request.url.path] else { return .status(.notFound) }
        var own = ["Upload-Offset": "\(upload.bytes.count)", "Cache-Control": "no-store"]
        own["Upload-Length"] = upload.length.map(String.init)
        if Self.text("Tus-Resumable", request) == nil { own["Upload-Complete"] = upload.isComplete ? "?1" : "?0" }
        return response(.noContent, own)
    }

    private func appended(_ request: Request) throws -> Response {
        guard let upload = uploads[request.url.path] else { return .status(.notFound) }
        let isTus = Self.text("Tus-Resumable", request) != nil
        let type = isTus ? "application/offset+octet-stream" : "application/partial-upload"
        guard request.headers[.contentType] == type else { return .status(.unsupportedMediaType) }
        guard Self.number("Upload-Offset", request) == upload.bytes.count else {
            return response(.conflict, ["Upload-Offset": "\(upload.bytes.count)"])
        }
        let body = request.body.buffered?.array ?? []
        let cut = state.withLock { $0.breaks.isEmpty ? nil : $0.breaks.removeFirst() }
        let taken = Array(body.prefix(cut ?? .max)), isWhole = taken.count == body.count
        let isLast = isTus ? upload.bytes.count + taken.count == upload.length : Self.text("Upload-Complete", request) == "?1" && isWhole
        state.withLock { state in
            state.uploads[request.url.path]?.bytes += taken
            state.uploads[request.url.path]?.isComplete = isLast
            state.received += taken.count
        }
        if cut != nil { throw TarmacError(.connectionLost, phase: isWhole ? .waiting : .sending, "the stub broke off") }
        if isTus { return response(.noContent, ["Upload-Offset": "\(upload.bytes.count + taken.count)"]) }
        return isLast ? response(.ok, ["Upload-Complete": "?1"], "landed") : response(.noContent, ["Upload-Complete": "?0"])
    }

    private func removed(_ request: Request) -> Response {
        state.withLock { $0.uploads.removeValue(forKey: request.url.path) } == nil ? .status(.notFound) : response(.noContent, [:])
    }

    private func response(_ status: HTTPResponse.Status, _ own: [String: String], _ body: String = "") -> Response {
        var fields = fields
        for (name, value) in own { if let name = HTTPField.Name(name) { fields[name] = value } }
        return body.isEmpty ? .status(status, headers: fields) : .text(body, status: status, headers: fields)
    }

    private static func text(_ name: String, _ request: Request) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
    private static func number(_ name: String, _ request: Request) -> Int? { text(name, request).flatMap { Int($0) } }
}
