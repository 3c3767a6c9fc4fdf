import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// An interceptor that writes each call with its URL, its parameters, the files that it uploads and its response.
///
/// ```swift
/// options.interceptors = [MessageLogger()]
/// // POST https://api.example.com/photos
/// //   title: 7 bytes
/// //   photo: 1.jpg, image/jpeg, 20000 bytes
/// // ← 200 {"id":7}
/// ```
/// Secrets are masked as everywhere: by names, by shapes, and where a response repeats those of the call. A body may hold other personal data,
/// so use the logger for development. ``ConsoleLogger`` shows no bodies.
///
/// A failure without a response is written as its error. A response with a failure status is written with its body.
/// Streamed bodies are not read.
public struct MessageLogger: Interceptor {
    private let limit: Int
    private let write: @Sendable (String) -> Void

    /// Makes a logger.
    ///
    /// - Parameters:
    ///   - limit: the number of characters of a body after which its text is cut off. A number below zero counts as zero. Default: 4,096.
    ///   - write: the function that writes the lines of a call. Default: standard output.
    public init(limit: Int = 4_096, write: @escaping @Sendable (String) -> Void = { print($0) }) {
        self.limit = max(limit, 0)
        self.write = write
    }

    public func intercept(_ request: Request, chain: Chain) async throws -> Response {
        let redactor = chain.context.redactor.adding(parameters: request.secrets.names)
        let parameters = parameters(of: request, redactor, chain.context)
        let lines = ["\(request.method.rawValue) \(redactor.url(request.url))"] + parameters.map { "  \($0)" }
        do {
            let response = try await chain.proceed(request)
            write((lines + ["← \(response.status.code) \(answer(response, redactor, chain.context))"]).joined(separator: "\n"))
            return response
        } catch {
            write((lines + ["✕ \(chain.context.masked("\(error)"))"]).joined(separator: "\n"))
            throw error
        }
    }

    private func parameters(of request: Request, _ redactor: Redactor, _ context: CallContext) -> [String] {
        switch request.body.content {
        case .none: []
        case .bytes where request.secrets.isBody: [Redactor.mask]
        case .bytes(let bytes): [cut(context.masked(redactor.text(of: bytes, type: MediaType(request.headers[.contentType]))))]
        case .file, .stream: request.body.outline ?? ["\(request.body)"]
        }
    }

    private func answer(_ response: Response, _ redactor: Redactor, _ context: CallContext) -> String {
        guard let bytes = response.body.collected else { return "a stream" }
        return cut(context.masked(redactor.text(of: bytes, type: MediaType(response.headers[.contentType])), from: response.url))
    }

    private func cut(_ text: String) -> String { text.count > limit ? "\(text.prefix(limit))…" : text }
}

extension Body {
    fileprivate var outline: [String]? { if case .stream(let stream) = content { stream.outline } else { nil } }
}

extension Redactor {
    /// Returns the text of a body with its secret values masked. A body that is not text may hold any secret, so only its size is
    /// shown.
    fileprivate func text(of bytes: Bytes, type: MediaType?) -> String {
        if bytes.isEmpty { return "no body" }
        // Servers send JSON under other types too.
        if let masked = json(bytes) { return masked }
        guard let text = bytes.withUnsafeBytes({ String(validUTF8: $0) }) else { return "‹\(bytes)›" }
        if type?.essence == "application/x-www-form-urlencoded" { return form(text) }
        return type?.essence.hasPrefix("text/") == true ? text : "‹\(bytes)›"
    }
}
