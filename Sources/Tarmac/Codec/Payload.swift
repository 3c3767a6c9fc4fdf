public import TarmacJSON

/// A response that was judged a success, about to become a value.
public struct Payload: Sendable {
    /// The whole response.
    public let response: Response
    let envelope: Envelope
    let decoder: BodyDecoder

    /// The body's bytes, as received and decompressed.
    public var bytes: Bytes { response.body.collected ?? .empty }

    /// The body as text in the charset the server names; UTF-8 without one.
    public var text: String {
        get throws(TarmacError) { try TextDecoder.decode(bytes, charset: response.mediaType?.charset) }
    }

    /// The payload of the envelope, or the whole body without one. Parsed once, by the verdict.
    public var json: JSON {
        get throws(TarmacError) {
            if let document = response.document { return try envelope.payload(in: document.root) }
            return try envelope.payload(in: JSONDocument.of(response).root)
        }
    }

    /// Decodes the payload.
    public func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decoder.decode(type, from: self)
    }
}

extension JSONDocument {
    /// The body of a response as JSON, transcoded to UTF-8 where its charset is another.
    static func of(_ response: Response) throws(TarmacError) -> JSONDocument {
        let bytes = try TextDecoder.utf8(response.body.collected ?? .empty, charset: response.mediaType?.charset)
        do {
            return try JSONDocument(bytes)
        } catch {
            throw TarmacError(
                .malformedJSON, phase: .judging, bytes.isEmpty ? "the body is empty" : "the body is not JSON: \(error)",
                suggestion: bytes.isEmpty ? "land as Void if no body is expected" : nil, cause: error)
        }
    }

    /// Parses bytes without copying them.
    init(_ bytes: Bytes) throws(JSONError) {
        // The box keeps the bytes' owner, and a BytesOwner keeps its bytes in place while it is held.
        let box = BytesBox(bytes.pinned)
        try self.init(owner: box, bytes: box.bytes.withUnsafeBytes { $0 })
    }
}
