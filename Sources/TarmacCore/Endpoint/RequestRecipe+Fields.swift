import HTTPTypes

extension HTTPFields {
    /// Whether a field that depends on URL or body, such as a signature over them, may have changed since the request
    /// was built.
    ///
    /// No list of signature fields can be complete. So every field counts, except those that the library's own stages
    /// set and those that identify the call or its sender or state the wanted response.
    func mayCoverMore(than built: HTTPFields) -> Bool {
        if self == built { return false }
        return filter(\.mayCover) != built.filter(\.mayCover)
    }
}

extension HTTPField {
    fileprivate var mayCover: Bool {
        let name = name.canonicalName
        // Any other scheme may sign the URL, as Digest does.
        if name == "authorization" { return !(Self.isScheme("bearer", of: value) || Self.isScheme("basic", of: value)) }
        return !Self.uncovering.contains(name) && !["x-b3-", "upload-", "tus-"].contains(where: name.hasPrefix)
    }

    private static func isScheme(_ scheme: String, of value: String) -> Bool { value.prefix(scheme.count + 1).lowercased() == scheme + " " }

    private static let uncovering: Set<String> = [
        // Fields of cookies, idempotency and failover. Fields of resumable uploads are recognized by their prefix.
        "cookie", "idempotency-key", "host",
        // Fields of the cache, of downloads and of resumed streams.
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range", "cache-control", "pragma", "last-event-id",
        // Fields that state the wanted response, in which `send` and `stream` differ.
        "accept", "accept-encoding", "accept-language",
        // Tracing.
        "traceparent", "tracestate", "baggage", "b3", "x-request-id", "x-correlation-id",
    ]
}
