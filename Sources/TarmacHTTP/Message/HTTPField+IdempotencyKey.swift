package import HTTPTypes

extension HTTPField.Name {
    /// The field Idempotency-Key (draft-ietf-httpapi-idempotency-key-header).
    package static let idempotencyKey: HTTPField.Name = {
        guard let name = HTTPField.Name("Idempotency-Key") else { preconditionFailure("Idempotency-Key is a token") }
        return name
    }()
}
