public import HTTPTypes
@_spi(TarmacRooms) public import TarmacCore

extension Client {
    /// Sends a call and reads its response body as it arrives, inside `body`.
    ///
    /// When `body` returns or throws, the exchange ends, even if the response body was not read to its end.
    ///
    /// ```swift
    /// try await client.stream(GetLog()) { response in
    ///     for try await chunk in response.body { file.append(chunk) }
    /// }
    /// ```
    /// Status and media type are checked first. ``Options/timeout`` applies until the head of a successful response,
    /// or until the end of the body of a failed one. ``Options/idleTimeout`` and ``Options/deadline`` continue to
    /// apply.
    ///
    /// `progress` receives the progress of both bodies, on any thread. It must return quickly.
    ///
    /// - Throws: `TarmacError` or `CancellationError`. Another error of `body` becomes the cause of
    ///   `TarmacError(.callerFailed)`.
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
    /// The URL of the response, after redirects.
    public let url: HTTPURL
    /// The body. Read it once, inside the scope.
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

extension StreamedResponse: MaskedReflectable {
    /// The status, the URL and the number of fields, without values.
    public var description: String { "\(status.code) from \(url), \(headers.count) header fields" }
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
