import TarmacCore

/// A curl command for a shell, of texts that are masked already (pure).
struct CurlCommand {
    enum Body {
        case none
        /// An option of curl, with its value.
        case option(String, String)
        /// The body is read from standard input.
        case standardInput
    }
    let method: String
    let url: String
    let headers: [(name: String, value: String)]
    let body: Body

    /// Returns the command, with one argument per line.
    func text(_ options: [[String]] = []) -> String {
        var arguments = ["curl"]
        if let methodOption { arguments.append(methodOption) }
        arguments += options.map { $0.map(quoted).joined(separator: " ") }
        for header in headers { arguments.append("--header \(quoted(text(of: header)))") }
        switch body {
        case .none: break
        case .option(let name, let value): arguments.append("\(name) \(quoted(value))")
        case .standardInput: arguments.append("--data-binary @-")
        }
        arguments.append(quoted(url))
        return arguments.joined(separator: " \\\n  ")
    }

    /// curl repeats a method given with `--request` at every redirect, so the option is omitted where curl
    /// chooses the method.
    private var methodOption: String? {
        let hasBody = if case .none = body { false } else { true }
        return switch (method, hasBody) {
        case ("GET", false), ("POST", true): nil
        // With `--request HEAD`, curl would wait for a body that never arrives.
        case ("HEAD", false): "--head"
        default: "--request \(quoted(method))"
        }
    }

    private func text(of header: (name: String, value: String)) -> String {
        // curl reads `Name;` as a field with an empty value.
        header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
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
