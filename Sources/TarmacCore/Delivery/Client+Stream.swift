public import HTTPTypes

extension Client {
    /// Sends a call and reads its body as it arrives, inside `body`. When the scope ends, so does the exchange, whether
    /// the body was read to its end or not.
    ///
    /// ```swift
    /// try await client.stream(GetLog()) { response in
    ///     for try await chunk in response.body { file.append(chunk) }
    /// }
    /// ```
    /// Status and media type are judged first. The timeout ends with the head of a success, and with the body of a
    /// failure; ``Options/idleTimeout`` and ``Options/deadline`` go on. What `body` throws becomes the cause of `TarmacError(.callerFailed)`.
    ///
    /// - Parameter progress: told how far both bodies are, from any thread; return quickly.
    public func stream<E: Endpoint, Result: Sendable>(
        _ endpoint: E, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        try await Flight.fly(endpoint, on: engine, for: binding, delivery: .streamed, call: Options(configure), progress: progress) { builder in
            try builder.build(endpoint)
        } land: { flight, response in
            defer { flight.endStream() }
            do { return try await body(StreamedResponse(response)) } catch { throw TarmacError.publicError(error) }
        }
    }
}

/// A response whose body is still arriving.
public struct StreamedResponse: Sendable {
    /// The status.
    public let status: HTTPResponse.Status
    /// The header fields.
    public let headers: HTTPFields
    /// The URL that answered, after redirects.
    public let url: HTTPURL
    /// The body; read it once, inside the scope.
    public let body: ByteStream

    package init(_ response: Response) {
        status = response.status
        headers = response.headers
        url = response.url
        switch response.body {
        case .stream(let stream): body = stream
        case .bytes(let bytes): body = ByteStream { OneChunk(bytes) }
        }
    }
}

extension StreamedResponse: CustomStringConvertible, CustomReflectable {
    /// Status, number of fields and URL; no values.
    public var description: String { "\(status.code) from \(url), \(headers.count) header fields" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// A stream of one chunk.
private final class OneChunk: ByteStreamSource {
    private let chunk: Locked<Bytes?>
    init(_ bytes: Bytes) { chunk = Locked(bytes) }
    func next() async throws -> Bytes? {
        chunk.withLock { chunk in
            defer { chunk = nil }
            return chunk
        }
    }
}
