import HTTPTypes
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
        // curl makes several URLs of lists and ranges in one.
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { arguments.append("--globoff") }
        arguments += options.map { $0.map(quoted).joined(separator: " ") }
        // The fields of a file may have any names, and curl reads a file for `@name`.
        for header in headers where HTTPField.Name(header.name) != nil { arguments.append("--header \(quoted(text(of: header)))") }
        switch body {
        case .none: break
        case .option(let name, let value): arguments.append("\(name) \(quoted(value))")
        case .standardInput: arguments.append("--data-binary @-")
        }
        // Otherwise the URL of a file may be an option.
        arguments.append(url.hasPrefix("-") ? "--url \(quoted(url))" : quoted(url))
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

    /// Returns a text as one word of a POSIX shell. Control characters besides line ends and tabs are shown by their symbols, because a
    /// terminal acts on them when they are pasted.
    private func quoted(_ text: String) -> String {
        let text = text.unicodeScalars.contains(where: Self.isControl) ? String(String.UnicodeScalarView(text.unicodeScalars.map(Self.shown))) : text
        // The shell expands a tilde at the start to a home folder.
        let isPlain =
            !text.isEmpty && text.first != "~"
            && text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
        return isPlain ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
    }

    /// Returns the symbol of a control character (Unicode, Control Pictures).
    private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if !isControl(scalar) { return scalar }
        return (scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : scalar.value == 0x7F ? "\u{2421}" : nil) ?? "\u{FFFD}"
    }
}
