import HTTPTypes
package import TarmacCore

/// A curl command for a shell, of texts that are masked already (pure).
package struct CurlCommand {
    package enum Body {
        case none
        /// A text, which may be a mask or say what is left out.
        case text(String)
        case bytes(Bytes)
        case file(String)
        /// The body is read from standard input.
        case standardInput
    }
    let method: String
    let url: String
    let headers: [(name: String, value: String)]
    let body: Body

    package init(method: String, url: String, headers: [(name: String, value: String)], body: Body) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }

    /// Returns the command, with one argument per line.
    package func text(_ options: [[String]] = []) -> String {
        let (printed, data) = data
        var arguments = ["\(printed)curl"]
        if let option = methodOption(hasData: data != nil) { arguments.append(option) }
        // curl makes several URLs of lists and ranges in one.
        if url.utf8.contains(where: { "[]{}".utf8.contains($0) }) { arguments.append("--globoff") }
        if hasDots { arguments.append("--path-as-is") }
        arguments += options.map { $0.map(quoted).joined(separator: " ") }
        // The fields of a file may have any names, and curl reads a file for `@name`.
        for header in headers where HTTPField.Name(header.name) != nil { arguments.append("--header \(quoted(text(of: header)))") }
        if let data {
            // curl adds fields of its own to a body.
            if !has("content-type") { arguments.append("--header 'Content-Type:'") }
            if mayBeLong, !has("expect") { arguments.append("--header 'Expect:'") }
            arguments.append(data)
        }
        // Otherwise the URL of a file may be an option.
        arguments.append(url.hasPrefix("-") ? "--url \(quoted(url))" : quoted(url))
        return arguments.joined(separator: " \\\n  ")
    }

    private func has(_ name: String) -> Bool { headers.contains { $0.name.lowercased() == name } }

    /// curl repeats a method given with `--request` at every redirect, so the option is omitted where curl
    /// chooses the method.
    private func methodOption(hasData: Bool) -> String? {
        switch (method, hasData) {
        case ("GET", false), ("POST", true): nil
        // With `--request HEAD`, curl would wait for a body that never arrives.
        case ("HEAD", false): "--head"
        default: "--request \(quoted(method))"
        }
    }

    /// Whether the path has `.` or `..` as a part, which curl would remove.
    private var hasDots: Bool {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").contains { part in
            let dots = part.lowercased().split(separator: "%2e", omittingEmptySubsequences: false).joined(separator: ".")
            return dots == "." || dots == ".."
        }
    }

    private func text(of header: (name: String, value: String)) -> String {
        // curl reads `Name;` as a field with an empty value.
        header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    }

    // MARK: Body

    /// The option that gives the body, and the command before curl that prints bytes of which the shell makes no argument.
    private var data: (printed: String, option: String?) {
        switch body {
        // The length of an empty body is a field too (RFC 9110 §8.6).
        case .none: ("", ["POST", "PUT", "PATCH"].contains(method) ? "--data-raw ''" : nil)
        case .text(let text) where text.utf8.count <= Self.longest && !text.unicodeScalars.contains(where: Self.isControl): ("", "--data-raw \(quoted(text))")
        case .text(let text): (ShellBytes.printing(Array(text.utf8)), "--data-binary @-")
        case .bytes(let bytes): (ShellBytes.printing(bytes.array), "--data-binary @-")
        case .file(let path): ("", "--data-binary \(quoted(path == "-" ? "@./-" : "@\(path)"))")
        case .standardInput: ("", "--data-binary @-")
        }
    }

    /// The longest text that is an argument. Linux allows 128 KiB with what is around it (`MAX_ARG_STRLEN`).
    private static let longest = 100_000

    /// Whether curl may ask a server first whether it wants the body, as it does for one of a MiB.
    private var mayBeLong: Bool {
        switch body {
        case .none: false
        case .text(let text): text.utf8.count >= 1 << 20
        case .bytes(let bytes): bytes.count >= 1 << 20
        case .file, .standardInput: true
        }
    }

    // MARK: Words of a shell

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

/// Prints bytes by a shell, for a pipe (pure).
private enum ShellBytes {
    /// `printf` is a part of the shell, which limits none of its arguments. A terminal limits a line that is pasted.
    private static let longest = 8_192

    /// Returns commands that print bytes of any kind, and the pipe after them. `printf` of POSIX has octal escapes.
    static func printing(_ bytes: [UInt8]) -> String {
        let starts = Array(stride(from: 0, to: bytes.count, by: longest))
        let commands = starts.map { "printf '\(format(bytes[$0..<min($0 + longest, bytes.count)]))'" }
        return (commands.count > 1 ? "{\n\(commands.joined(separator: "\n"))\n}" : commands.first ?? "printf ''") + " | "
    }

    /// A hyphen at the start would begin an option.
    private static func format(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.first == UInt8(ascii: "-") ? #"\055"# + bytes.dropFirst().map(escape).joined() : bytes.map(escape).joined()
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "%"): return "%%"
        case UInt8(ascii: "\\"): return #"\\"#
        case 0x20...0x7E where byte != UInt8(ascii: "'"): return String(UnicodeScalar(byte))
        default:
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
    }
}
