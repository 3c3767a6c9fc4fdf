import HTTPTypes

/// Decides which header field a request gets.
struct __NAME__Policy: Sendable {
    enum Decision: Equatable {
        case leave
        case send(String)
    }

    let rule: __NAME__Rule

    /// A field that the endpoint or an interceptor set stays as it is.
    func decide(on headers: HTTPFields) -> Decision {
        guard let text = rule.text, headers[.tarmac__NAME__] == nil else { return .leave }
        return .send(text)
    }
}

extension HTTPField.Name {
    static let tarmac__NAME__ = tarmacField("Tarmac-__NAME__")

    private static func tarmacField(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a token") }
        return name
    }
}
