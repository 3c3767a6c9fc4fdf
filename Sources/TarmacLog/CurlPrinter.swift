import HTTPTypes
public import TarmacCore

/// Prints a request as a curl command for a shell. Secrets are masked by default.
public struct CurlPrinter: Sendable {
    /// The redactor that masks secrets, in addition to the secret names of the request. `nil` shows secrets:
    /// never use it for logs.
    public let redactor: Redactor?

    /// Makes a printer.
    ///
    /// - Parameter redactor: masks secrets; `nil` shows them. Default: ``Redactor/standard``.
    public init(redactor: Redactor? = .standard) { self.redactor = redactor }

    /// Returns the command, with one argument per line. A mask says which rule masks the value: `‹masked: token›`.
    ///
    /// - Parameter options: more curl options before the URL, each with its arguments, such as
    ///   `[["--location"], ["--max-time", "5"]]`. They are quoted and not masked. Default: none.
    public func command(for request: Request, options: [[String]] = []) -> String {
        CurlPrinter(redactor: redactor.map { request.redactor(over: $0).explaining }).plainCommand(for: request, options)
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

    /// curl repeats a method given with `--request` at every redirect, so the option is omitted where curl
    /// chooses the method.
    private func method(_ request: Request) -> String? {
        switch (request.method, request.body.isNone) {
        case (.get, true), (.post, false): nil
        // With `--request HEAD`, curl would wait for a body that never arrives.
        case (.head, true): "--head"
        default: "--request \(quoted(request.method.rawValue))"
        }
    }

    private func header(_ field: HTTPField) -> String {
        let value = redactor?.value(of: field) ?? field.value
        // curl reads `Name;` as a field with an empty value.
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
        // A body that is not text may hold any secret.
        guard type?.essence.hasPrefix("text/") == true, let text else { return "‹\(bytes)›" }
        return redactor.text(text, known: redactor.known(in: request))
    }

    /// Returns a text as one word of a POSIX shell. Control characters are shown, because a shell does not
    /// accept them pasted.
    private func quoted(_ text: String) -> String {
        // The shell expands a tilde at the start to a home folder.
        let isPlain =
            !text.isEmpty && text.first != "~"
            && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        return isPlain ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
