#if Inspector
import HTTPTypes
import TarmacCore

/// A response that a developer has written for every request of an endpoint.
struct EndpointAnswer: Codable, Sendable, Hashable {
    let service: String
    /// The name of the endpoint.
    let endpoint: String
    let status: Int
    let mediaType: String
    let body: String

    /// The largest number of answers. Each is as long as the body of a request to the inspector may be.
    static let most = 16

    /// Whether every part can be sent.
    var isValid: Bool { !endpoint.isEmpty && 200...599 ~= status && HTTPField.isValidValue(mediaType) && mediaType.utf8.count <= 256 }

    func isFor(_ service: String, _ endpoint: String) -> Bool { self.service.isExactly(service) && self.endpoint.isExactly(endpoint) }

    func response(to request: TarmacCore.Request) -> TarmacCore.Response {
        var headers = HTTPFields()
        if !mediaType.isEmpty { headers[.contentType] = mediaType }
        return Response(
            status: .init(code: status, reasonPhrase: ServiceFault.answerPhrase), headers: headers, body: .bytes(Bytes(Array(body.utf8))), url: request.url)
    }
}
#endif
