import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

/// Prints a request as a curl command for a shell. Secrets are masked by default.
public struct CurlPrinter: Sendable {
    /// The redactor that masks secrets, in addition to the secret names of the request. `nil` shows secrets:
    /// never use it for logs.
    package let redactor: Redactor?

    /// Makes a printer.
    ///
    /// - Parameter redactor: masks secrets; `nil` shows them. Default: ``Redactor/standard``.
    public init(redactor: Redactor? = .standard) { self.redactor = redactor }

    /// Returns the command, with one argument per line. A mask says which rule masks the value: `‹masked: token›`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - options: more curl options before the URL, each with its arguments, such as
    ///     `[["--location"], ["--max-time", "5"]]`. They are quoted and not masked. Default: none.
    public func command(for request: Request, options: [[String]] = []) -> String {
        CurlPrinter(redactor: redactor.map { request.redactor(over: $0).explaining }).plainCommand(for: request, options)
    }

    private func plainCommand(for request: Request, _ options: [[String]]) -> String {
        CurlCommand(
            method: request.method.rawValue, url: redactor?.url(request.url) ?? request.url.string,
            headers: request.headers.map { ($0.name.rawName, redactor?.value(of: $0) ?? $0.value) }, body: body(request)
        ).text(options)
    }

    private func body(_ request: Request) -> CurlCommand.Body {
        switch request.body.content {
        case .none: .none
        case .file(let path): .file(path)
        case .stream: .standardInput
        case .bytes(let bytes):
            if let redactor { .text(text(bytes, of: request, redactor)) } else { Self.text(bytes).map { .text($0) } ?? .bytes(bytes) }
        }
    }

    private static func text(_ bytes: Bytes) -> String? { bytes.withUnsafeBytes { String(validUTF8: $0) } }

    private func text(_ bytes: Bytes, of request: Request, _ redactor: Redactor) -> String {
        let type = MediaType(request.headers[.contentType]), text = Self.text(bytes)
        if request.secrets.isBody { return Redactor.mask }
        if type?.isJSON == true, let masked = redactor.json(bytes) { return masked }
        if type?.essence == "application/x-www-form-urlencoded", let text { return redactor.form(text) }
        // A body that is not text may hold any secret.
        guard type?.essence.hasPrefix("text/") == true, let text else { return "‹\(bytes)›" }
        return redactor.text(text, known: redactor.known(in: request))
    }
}
