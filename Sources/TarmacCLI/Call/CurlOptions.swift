#if Tools
/// What curl has to be told to do what a command does, besides the request itself (pure).
enum CurlOptions {
    /// Each option with its value.
    static func words(_ arguments: CallArguments) -> [[String]] {
        var words = [["--location"]]
        if arguments.insecure { words.append(["--insecure"]) }
        if let file = arguments.cacert { words.append(["--cacert", file]) }
        if let seconds = arguments.timeout { words.append(["--max-time", text(seconds)]) }
        if arguments.include { words.append(["--include"]) }
        if let file = arguments.output { words.append(["--output", file]) }
        return words
    }

    private static func text(_ seconds: Double) -> String {
        let text = "\(seconds)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
#endif
