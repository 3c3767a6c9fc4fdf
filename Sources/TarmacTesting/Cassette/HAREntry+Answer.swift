import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HAR.Entry {
    /// Returns or throws the recorded result of a transport.
    func answer() async throws -> Response {
        guard (100...999).contains(response.status) else { throw try await error }
        var fields: HTTPFields = [:]
        for field in response.headers ?? [] {
            // Archives of browsers have decoded bodies, and pseudo-fields of HTTP/2 that are not fields.
            guard let name = HTTPField.Name(field.name), isReplayed(name) else { continue }
            try fields.add(HTTPField(name: name, value: Self.standingIn(field.value)))
        }
        let status = HTTPResponse.Status(code: response.status)
        guard failure != nil else { return .bytes(try body(), contentType: nil, status: status, headers: fields) }
        return .stream(ByteStream(CutOffBody(bytes: try body(), entry: self)), status: status, headers: fields)
    }

    private func isReplayed(_ name: HTTPField.Name) -> Bool {
        // Only the response to HEAD has a length without a body.
        ![.contentEncoding, .transferEncoding].contains(name) && (name != .contentLength || request.method == "HEAD")
    }

    private func body() throws -> Bytes {
        let text = response.content.text ?? ""
        guard response.content.encoding == "base64" else { return Bytes(Self.standingIn(text)) }
        guard let data = Data(base64Encoded: text) else {
            throw TarmacError(.decodingFailed, phase: .receiving, "the cassette's answer to \(request.line) is damaged: its body is no Base64")
        }
        return Bytes(data)
    }

    /// Replaces the mask, which has characters that tokens do not allow.
    private static func standingIn(_ text: String) -> String {
        text.split(separator: Redactor.mask, omittingEmptySubsequences: false).joined(separator: "masked")
    }

    /// The recorded failure of the exchange. A recorded cancellation waits until this exchange is cancelled.
    fileprivate var error: any Error {
        get async throws {
            if failure?.code == HAR.Failure.cancelled { try await Watched(false).wait { $0 } }
            let code = failure.flatMap { failure in Self.codes.first { $0.name == failure.code } }
            let phase = failure.flatMap { TarmacError.Phase(rawValue: $0.phase) }
            return TarmacError(
                code ?? .transportFailed, phase: phase ?? .receiving,
                "\(request.line) failed when the cassette was recorded, with \(failure?.code ?? "no reason given")")
        }
    }

    /// The errors of a transport, or of the limits above it.
    private static let codes: [TarmacError.Code] = [
        .cannotFindHost, .connectionRefused, .connectionFailed, .connectionLost, .proxyFailed, .untrustedCertificate, .selfSignedCertificate,
        .expiredCertificate, .notYetValidCertificate, .hostnameMismatch, .pinMismatch, .clientCertificateRequired,
        .expiredClientIdentity, .wrongIdentityPassword, .tlsHandshakeFailed,
        .requestUnprocessed, .connectTimeout, .timeout, .idleTimeout, .deadlineExceeded, .malformedResponse, .truncatedBody, .headersTooLarge, .bodyTooLarge,
        .unsupported, .unreadableFile, .clientShutDown,
    ]
}

/// A body that ends as it did in the recording.
private struct CutOffBody: AsyncSequence, Sendable {
    let bytes: Bytes
    let entry: HAR.Entry

    struct Iterator: AsyncIteratorProtocol {
        var bytes: Bytes?
        let entry: HAR.Entry

        mutating func next() async throws -> Bytes? {
            defer { bytes = nil }
            if let bytes, !bytes.isEmpty { return bytes }
            throw try await entry.error
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes, entry: entry) }
}
