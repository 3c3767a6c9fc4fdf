import HTTPTypes
import TarmacJSON

extension ResponseSnapshot {
    /// Decodes the body into the server's own error type.
    ///
    /// - Throws: `TarmacError(.decodingFailed)` if the body does not match the type.
    public func decode<Value: Decodable>(as type: Value.Type = Value.self) throws(TarmacError) -> Value {
        do { return try TarmacJSONDecoder().decode(type, from: document ?? parsed()) } catch let error as TarmacError {
            throw error
        } catch {
            throw DecodingFailure.error(error, as: type)
        }
    }

    private func parsed() throws -> JSONDocument {
        try JSONDocument(TextDecoder.utf8(body, charset: MediaType(headers[.contentType])?.charset), options: options ?? Redactor.standardDocumentOptions)
    }

    /// The body as RFC 9457 problem details, if its media type says so.
    public var problem: ProblemDetails? {
        guard MediaType(headers[.contentType])?.essence == "application/problem+json" else { return nil }
        return try? decode(as: ProblemDetails.self)
    }
}

extension TarmacError {
    /// Decodes the error body into the server's own error type. `nil` if there is no body or it does not match
    /// the type.
    public func serverError<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        try? response?.decode(as: type)
    }

    /// The RFC 9457 problem details of the server, if it sent any.
    public var problem: ProblemDetails? { response?.problem }
}
