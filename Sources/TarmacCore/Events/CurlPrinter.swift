import HTTPTypes

/// Prints a request as a curl command that can be pasted into a shell; secrets masked unless asked for.
public struct CurlPrinter: Sendable {
    /// Masks secrets, besides those the request's own call names. `nil` shows them: never for logs.
    public let redactor: Redactor?

    /// - Parameter redactor: masks secrets; `nil` shows them. Default: ``Redactor/standard``.
    public init(redactor: Redactor? = .standard) { self.redactor = redactor }

    /// The command, an argument a line.
    ///
    /// - Parameter options: what stands before the URL besides the request, each with its words, such as
    ///   `[["--location"], ["--max-time", "5"]]`; they are quoted, not masked. Default: none.
    public func command(for request: Request, options: [[String]] = []) -> String {
        CurlPrinter(redactor: redactor?.adding(parameters: request.secrets.names)).plainCommand(for: request, options)
    }

    private func plainCommand(for request: Request, _ options: [[String]]) -> String {
        var arguments = ["curl"]
        if let method = method(request) { arguments.append(method) }
        arguments += options.map { $0.map(quoted).joined(separator: " ") }
        for field in request.headers { arguments.append("--header \(quoted(header(field)))") }
        if let body = body(request) { arguments.append(body) }
        arguments.append(quoted(redactor?.url(request.url) ?? request.url.string))
        return arguments.joined(separator: " \\\n  ")
    }

    /// What `--request` names curl repeats at every redirect, so it is left out where curl chooses the method by itself.
    private func method(_ request: Request) -> String? {
        switch (request.method, request.body.isNone) {
        case (.get, true), (.post, false): nil
        // With `--request HEAD` curl would wait for a body that never comes.
        case (.head, true): "--head"
        default: "--request \(quoted(request.method.rawValue))"
        }
    }

    private func header(_ field: HTTPField) -> String {
        let value = redactor?.value(of: field) ?? field.value
        // curl reads `Name;` as the field with an empty value.
        return value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)"
    }

    private func body(_ request: Request) -> String? {
        switch request.body.content {
        case .none: nil
        case .file(let path): "--data-binary \(quoted("@\(path)"))"
        case .stream: "--data-binary @-"
        case .bytes(let bytes): "--data-raw \(quoted(text(bytes, of: request)))"
        }
    }

    private func text(_ bytes: Bytes, of request: Request) -> String {
        let type = MediaType(request.headers[.contentType])
        let text = bytes.withUnsafeBytes { String(validUTF8: $0) }
        guard let redactor else { return text ?? "‹\(bytes)›" }
        if request.secrets.isBody { return Redactor.mask }
        if type?.isJSON == true, let masked = redactor.json(bytes) { return masked }
        if type?.essence == "application/x-www-form-urlencoded", let text { return redactor.form(text) }
        // What cannot be looked into may hold anything.
        return type?.essence.hasPrefix("text/") == true ? text ?? "‹\(bytes)›" : "‹\(bytes)›"
    }

    /// A single word of a POSIX shell; control characters cannot be pasted and are shown.
    private func quoted(_ text: String) -> String {
        // A tilde in front is somebody's home folder.
        let isPlain =
            !text.isEmpty && text.first != "~"
            && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        return isPlain ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
