import HTTPTypes
import TarmacJSON

extension ResponseSnapshot {
    /// Decodes the body into the server's own error type; throws `TarmacError(.decodingFailed)` when it does not fit.
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

    /// The body as RFC 9457 problem details, when the server says that it is.
    public var problem: ProblemDetails? {
        guard MediaType(headers[.contentType])?.essence == "application/problem+json" else { return nil }
        return try? decode(as: ProblemDetails.self)
    }
}

extension TarmacError {
    /// Decodes the error body into the server's own error type; `nil` without a body or when it does not fit.
    public func serverError<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        try? response?.decode(as: type)
    }

    /// The server's RFC 9457 problem details, when it sent some.
    public var problem: ProblemDetails? { response?.problem }
}
