#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacJSON

/// A successful response that a landing can turn into a value.
public struct Payload: Sendable {
    // The parts are behind one reference, because a payload is passed between landings and kept with the value.
    private final class Parts: Sendable {
        let response: Response
        let call: PayloadCall
        let envelope: Envelope
        let decoder: BodyDecoder
        let documentOptions: JSONDocument.Options
        /// The document that is parsed after the verdict, if the verdict did not need it.
        let late: Locked<JSONDocument?>?

        init(_ response: Response, _ call: PayloadCall, _ envelope: Envelope, _ decoder: BodyDecoder, _ documentOptions: JSONDocument.Options) {
            (self.response, self.call, self.envelope, self.decoder, self.documentOptions) = (response, call, envelope, decoder, documentOptions)
            late = response.document == nil ? Locked(nil) : nil
        }
    }
    private let parts: Parts

    package init(response: Response, call: PayloadCall, envelope: Envelope, decoder: BodyDecoder, documentOptions: JSONDocument.Options) {
        parts = Parts(response, call, envelope, decoder, documentOptions)
    }

    /// The whole response.
    public var response: Response { parts.response }
    package var call: PayloadCall { parts.call }
    var envelope: Envelope { parts.envelope }
    var decoder: BodyDecoder { parts.decoder }
    var documentOptions: JSONDocument.Options { parts.documentOptions }

    /// The name of the endpoint. A reformer for several endpoints uses it.
    package var endpoint: String { call.endpoint }
    /// The name of the service.
    package var service: String { call.service }

    /// The bytes of the body, decompressed. A body in an unknown content coding is as received.
    public var bytes: Bytes { response.body.collected ?? .empty }

    /// The body as text in the charset that the server states. Default charset: UTF-8.
    public var text: String {
        get throws(TarmacError) { try TextDecoder.decode(response.readableBody, charset: response.mediaType?.charset) }
    }

    /// The payload of the envelope, or the whole body without an envelope.
    ///
    /// The verdict stage parses it once. For a value that is not made from JSON, the first access parses it.
    public var json: JSON {
        get throws(TarmacError) { try envelope.payload(in: document.root) }
    }

    /// Decodes the payload.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` with the path in the whole body.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(TarmacError) -> Value {
        // A parsed body has been readable.
        if response.document == nil { _ = try response.readableBody }
        do { return try decoder.decode(type, from: self) } catch let error as TarmacError { throw error } catch {
            throw DecodingFailure.error(error, as: type, below: envelope.payloadRoot)
        }
    }

    /// The part of the response that an error keeps.
    package var snapshot: ResponseSnapshot { response.snapshot(options: documentOptions, decoder: decoder) }

    /// The path of the payload in the body.
    package var root: String { envelope.payloadRoot }

    /// The text of the payload in UTF-8 for another coder. It is the body as received, unless the body was
    /// parsed already.
    var jsonText: Data {
        get throws {
            if response.document == nil, envelope.isOpen { return try TextDecoder.utf8(response.readableBody, charset: response.mediaType?.charset).data }
            let payload = try json
            return payload.isRoot ? try documentText : Data(try payload.bytes())
        }
    }

    private var document: JSONDocument {
        get throws(TarmacError) {
            if let document = response.document ?? parts.late?.withLock({ $0 }) { return document }
            let document = try JSONDocument.of(response, response.mediaType, options: documentOptions)
            parts.late?.withLock { $0 = document }
            return document
        }
    }

    private var documentText: Data {
        get throws(TarmacError) { try document.withUnsafeBytes { Data($0) } }
    }
}

extension Payload: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: ["response": response]) }
}

extension JSON {
    fileprivate var isRoot: Bool { path == JSONPath() }
}

extension JSONDocument {
    /// Parses the body of a response as JSON. A body in another charset is converted to UTF-8 first.
    package static func of(_ response: Response, _ type: MediaType?, options: Options) throws(TarmacError) -> JSONDocument {
        let bytes = try TextDecoder.utf8(response.readableBody, charset: type?.charset)
        do {
            return try JSONDocument(bytes, options: options)
        } catch {
            throw TarmacError(
                .malformedJSON, phase: .judging, bytes.isEmpty ? "the body is empty" : "the body is not JSON: \(error)",
                suggestion: bytes.isEmpty ? "land as Void if no body is expected" : nil, cause: error,
                path: error.path.components.isEmpty ? nil : error.path.description)
        }
    }

    /// Parses bytes without copying them.
    package init(_ bytes: Bytes, options: Options = Options()) throws(JSONError) {
        // The box holds the owner of the bytes, and a BytesOwner keeps its bytes in place while it is held.
        let box = BytesBox(bytes.pinned)
        try self.init(owner: box, bytes: box.bytes.withUnsafeBytes { $0 }, options: options)
    }
}
