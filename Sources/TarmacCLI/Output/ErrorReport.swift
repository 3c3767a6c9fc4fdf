#if Tools
import Tarmac

/// One clear paragraph about an error: what happened, to which call, what the server says, what to try.
struct ErrorReport {
    let palette: Palette
    /// Whether the command has --include, as get and its siblings have and transfers have not.
    var isCall = true

    func text(_ error: any Error) -> String {
        switch error {
        case let error as TarmacError: paragraph(error)
        case is CancellationError: palette.paint("Cancelled.", .yellow)
        default: palette.paint("✕", .red) + " \(error)"
        }
    }

    private func paragraph(_ error: TarmacError) -> String {
        var lines = [palette.paint("✕ \(sentence(reason(of: error)))", .red)]
        lines.append(palette.paint("  \(facts(error).joined(separator: " · "))", .dim))
        if let words = error.serverMessage {
            lines.append("  The server says: \(Self.oneLine(words))" + code(error.serverCode))
        }
        if let report: PinReport = error.cause() { lines += PinReportText.lines(report) }
        if let path = error.path { lines.append("  At: \(path)") }
        if let advice = advice(on: error) { lines.append("  Try: \(sentence(advice))") }
        return lines.joined(separator: "\n")
    }

    /// The shown certificates follow on lines of their own.
    private func reason(of error: TarmacError) -> String {
        if let report: PinReport = error.cause() { return PinReportText.headline(report) }
        return error.reason.isEmpty ? error.code.name : error.reason
    }

    /// RFC 9457 §4.2.1: `about:blank` says no more than the status does.
    private func code(_ code: String?) -> String {
        code.map { $0 == "about:blank" ? "" : " (\(Self.oneLine($0)))" } ?? ""
    }

    private func facts(_ error: TarmacError) -> [String] {
        var facts = [error.code.name]
        guard let context = error.context, context.request != "not built" else { return facts }
        facts.append(context.request)
        facts.append(context.attempts == 0 ? "nothing was sent" : context.attempts == 1 ? "1 attempt" : "\(context.attempts) attempts")
        facts.append("after \(context.duration.shown)")
        return facts
    }

    private func sentence(_ text: String) -> String {
        let text = Self.oneLine(text)
        return (text.first?.uppercased() ?? "") + text.dropFirst() + (text.last.map { ".!?…".contains($0) } == true ? "" : ".")
    }

    /// A server's words must not move the cursor.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(500).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    private func advice(on error: TarmacError) -> String? {
        own(error.code) ?? error.suggestion ?? advice(error.code.category)
    }

    /// Where the library's suggestion names settings that are no arguments of a command.
    private func own(_ code: TarmacError.Code) -> String? {
        switch code {
        case .redirectRefused: "look at the redirects with --verbose, or ask that address itself if it is meant"
        case .unacceptableContentType: "look with tarmac get at what is there; the address may be another one"
        case .tlsHandshakeFailed: "does the port speak https? Begin the address with http:// where it does not"
        case .selfSignedCertificate, .untrustedCertificate: "if the server is yours, trust its authority with --cacert FILE"
        case .connectTimeout: "check host and port"
        case .idleTimeout: "look at what the server is doing, or try again"
        default: nil
        }
    }

    private func advice(_ category: TarmacError.Category) -> String? {
        switch category {
        case .connection: "check the address, and that the server is running and reachable from here"
        case .tls: "check the server's certificate; --cacert FILE trusts one more root"
        case .timeout: "give it more time with --timeout SECONDS, or look at what the server is doing"
        case .message, .decoding: "look at the raw answer with \(isCall ? "--include and " : "")--verbose"
        case .redirect: "look at the redirects with --verbose"
        case .rejected: "look at the answer above, and at what was sent with --verbose"
        case .input, .application: nil
        }
    }
}
#endif
