import HTTPTypes
import TarmacJSON

extension ResponseSnapshot {
    /// Decodes the body into the server's own error type, with the ``Options/decoder`` of the call.
    ///
    /// A decoder for another format reads no JSON: a body in JSON is then decoded with the standard one.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` if the body does not match the type, and the errors of a body that cannot be
    ///   read, such as `.malformedJSON`.
    public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws(TarmacError) -> Value {
        try decode(type, with: fittingDecoder)
    }

    private var fittingDecoder: BodyDecoder {
        guard let decoder = decoder as? BodyDecoder, !isJSON || decoder.accepts.contains(mediaType, needsJSON: true) else { return .tarmac }
        return decoder
    }

    private func decode<Value: Decodable>(_ type: Value.Type, with decoder: BodyDecoder) throws(TarmacError) -> Value {
        // No decoder reads the URL of an answer.
        var response = Response(
            status: status, headers: headers, body: .bytes(body), url: HTTPURL(scheme: "https", host: "", port: nil, path: "", query: nil))
        (response.document, response.isDecoded) = (document, true)
        return try Payload(alone: response, envelope: .off, decoder: decoder, documentOptions: options ?? Redactor.standardDocumentOptions).decode(type)
    }

    private var mediaType: MediaType? { MediaType(headers[.contentType]) }
    private var isJSON: Bool { mediaType?.isJSON == true }

    /// The body as RFC 9457 problem details, if its media type says so.
    public var problem: ProblemDetails? {
        guard mediaType?.essence == "application/problem+json" else { return nil }
        // The names of the members are those of the standard, whatever the service's decoder does to names.
        return try? decode(ProblemDetails.self, with: .tarmac)
    }
}

extension TarmacError {
    /// Decodes the error body into the server's own error type, with the ``Options/decoder`` of the call. `nil` if there is no
    /// response or its body is empty.
    ///
    /// ```swift
    /// let reason = try error.serverError(as: ShopError.self)?.reason
    /// ```
    /// - Throws: `TarmacError`, which says why the body cannot be decoded and where. With `try?` such a body counts as none.
    public func serverError<Value: Decodable>(as type: Value.Type = Value.self) throws(TarmacError) -> Value? {
        guard let response, !response.body.isEmpty else { return nil }
        do { return try response.decode(as: type) } catch { throw error.with(response: response) }
    }

    /// The RFC 9457 problem details of the server, if it sent any.
    public var problem: ProblemDetails? { response?.problem }
}
