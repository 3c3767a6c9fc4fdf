import HTTPTypes

extension HTTPFields {
    /// Whether somebody may have set or removed a field that speaks of URL or body, such as a signature over them.
    ///
    /// Which fields are signatures nobody can know, so every one counts but those the library's own stages set and those that
    /// name the call, its sender or what of the answer is wanted.
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
        // Of cookies, idempotency and failover. Those of resumable uploads are told by their beginning.
        "cookie", "idempotency-key", "host",
        // Of the cache, of downloads and of streams that go on.
        "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range", "cache-control", "pragma", "last-event-id",
        // What of the answer is wanted, as `send` and `stream` differ in it.
        "accept", "accept-encoding", "accept-language",
        // Tracing.
        "traceparent", "tracestate", "baggage", "b3", "x-request-id", "x-correlation-id",
    ]
}
