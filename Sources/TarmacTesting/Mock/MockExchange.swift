#if MockServer
import FlyingFox
import Foundation
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// One request of FlyingFox and its response, in Tarmac's types.
struct MockExchange {
    private let received: FlyingFox.HTTPRequest

    init(_ received: FlyingFox.HTTPRequest) { self.received = received }

    func answer(_ routes: [StubRoute], _ seen: Watched<[Request]>) async throws -> FlyingFox.HTTPResponse {
        let request = try await request()
        seen.update { $0.append(request) }
        guard let route = routes.first(where: { $0.matches(request) }) else {
            return response(.text("the mock server has no route for \(request.method.rawValue) \(request.url.path)", status: .notFound), request)
        }
        do { return response(try await route.answer(request), request) } catch {
            return response(.text("\(error)", status: .internalServerError), request)
        }
    }

    private func request() async throws -> Request {
        let body = try await received.bodyData
        let query = received.query.isEmpty ? "" : "?" + received.query.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
        let host = received.headers[.host] ?? "127.0.0.1"
        let url = try HTTPURL("http://\(host)\(received.path)\(query)")
        var request = Request(.init(received.method.rawValue) ?? .get, url, body: body.isEmpty ? .none : .bytes(Bytes(body)))
        for (header, value) in received.headers {
            if let field = try? HTTPField.checked(header.rawValue, value) { try request.headers.add(field) }
        }
        return request
    }

    /// Escapes the query, which FlyingFox returns decoded.
    private func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed.subtracting(["&", "=", "+", "#"])) ?? text
    }

    private func response(_ answer: Response, _ request: Request) -> FlyingFox.HTTPResponse {
        var headers = FlyingFox.HTTPHeaders()
        for field in answer.headers { headers.addValue(field.value, for: HTTPHeader(field.name.rawName)) }
        let isHead = request.method == .head
        let body: HTTPBodySequence =
            switch answer.body {
            case .bytes(let bytes): HTTPBodySequence(data: bytes.data)
            case .stream(let stream): HTTPBodySequence(from: StreamedBytes(stream: stream), suggestedBufferSize: 65_536)
            }
        // RFC 9110 §9.3.2: a response to HEAD states the length that GET would have.
        if isHead, let count = body.count { headers[.contentLength] = String(count) }
        return FlyingFox.HTTPResponse(
            statusCode: HTTPStatusCode(answer.status.code, phrase: answer.status.reasonPhrase), headers: headers,
            body: isHead ? HTTPBodySequence() : body)
    }
}
#endif
