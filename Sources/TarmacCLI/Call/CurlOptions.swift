#if Tools
/// The options that make curl do what a command does, besides the request itself (pure).
enum CurlOptions {
    /// Each option with its value.
    static func words(_ arguments: CallArguments) -> [[String]] {
        var words = [["--location"]]
        if arguments.trust.insecure { words.append(["--insecure"]) }
        if let file = arguments.trust.cacert { words.append(["--cacert", file]) }
        // curl compares the server's own key alone.
        if !arguments.trust.pin.isEmpty, !arguments.trust.pinReportOnly { words.append(["--pinnedpubkey", curlPins(arguments.trust.pin)]) }
        if let seconds = arguments.timeout { words.append(["--max-time", text(seconds)]) }
        if arguments.include { words.append(["--include"]) }
        if let file = arguments.output { words.append(["--output", file]) }
        return words
    }

    /// curl writes two slashes.
    private static func curlPins(_ pins: [String]) -> String {
        pins.map { pin in pin.utf8.count == "sha256/".utf8.count + 44 ? "sha256//" + pin.dropFirst("sha256/".count) : pin }.joined(separator: ";")
    }

    private static func text(_ seconds: Double) -> String {
        let text = "\(seconds)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
#endif
