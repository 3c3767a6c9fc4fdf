#if Tools
import HTTPTypes
import Tarmac
import TarmacCore

/// Shows the heads of every request and response on standard error.
struct VerboseHeads: Interceptor {
    /// `nil` shows secrets.
    let redactor: Redactor?
    let palette: Palette
    let note: @Sendable (String) -> Void

    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let redactor = redactor.map { request.redactor(over: $0) }
        note(indented(HeadText.request(request, redactor: redactor, palette), by: ">"))
        let response = try await chain.proceed(request)
        note(indented(HeadText.response(response.status, response.headers, redactor: redactor, palette), by: "<"))
        return response
    }

    private func indented(_ text: String, by mark: String) -> String {
        text.split(separator: "\n").map { "\(palette.paint(mark, .dim)) \($0)" }.joined(separator: "\n")
    }
}

/// Heads as text (pure).
enum HeadText {
    static func request(_ request: Request, redactor: Redactor?, _ palette: Palette) -> String {
        let url = redactor?.url(request.url) ?? request.url.string
        return ([palette.paint("\(request.method.rawValue) \(url)", .bold)] + fields(request.headers, redactor, palette)).joined(separator: "\n")
    }

    static func response(_ status: HTTPResponse.Status, _ headers: HTTPFields, redactor: Redactor?, _ palette: Palette) -> String {
        let colour: Palette.Colour = status.code < 300 ? .green : status.code < 400 ? .yellow : .red
        let line = status.reasonPhrase.isEmpty ? "HTTP \(status.code)" : "HTTP \(status.code) \(status.reasonPhrase)"
        return ([palette.paint(line, colour)] + fields(headers, redactor, palette)).joined(separator: "\n")
    }

    private static func fields(_ headers: HTTPFields, _ redactor: Redactor?, _ palette: Palette) -> [String] {
        headers.map { "\(palette.paint($0.name.rawName, .cyan)): \(redactor?.value(of: $0) ?? $0.value)" }
    }
}
#endif
