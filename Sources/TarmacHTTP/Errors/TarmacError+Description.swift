import HTTPTypes

extension TarmacError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The failure in one line that is safe to log.
    ///
    /// It holds the code, the call, its place in a batch, chain or graph, the attempts, status, reason, path and
    /// suggestion.
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

extension TarmacError: MaskedReflectable {
    /// A mirror with the description only, so that `dump` shows no body or cause that may hold a secret.
}
