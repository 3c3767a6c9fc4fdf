import HTTPTypes

extension TarmacError: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line, safe to log: code, call, its place in a batch, chain or graph, attempts, status, reason, path and suggestion.
    public var description: String {
        var text = code.name
        if let context { text += " in \(context.endpoint) (\(context.request))" }
        for member in members { text += ", \(member)" }
        if let status { text += ", status \(status.code)" }
        if attempts > 1 { text += ", after \(attempts) attempts" }
        if !reason.isEmpty { text += ": \(reason)" }
        if let path { text += " [at \(path)]" }
        if let suggestion { text += ". Try: \(suggestion)" }
        return text
    }

    public var debugDescription: String { description }
}

extension TarmacError: CustomReflectable {
    /// What `dump` shows: the description alone, so that no body or cause with a secret gets into a log.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
