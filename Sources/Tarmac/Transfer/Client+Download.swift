extension Client {
    /// Sends a call and writes its body to a file; memory stays flat however long it is. The file appears at `path`
    /// only when it is complete, and replaces one that was there (YTK-B11). Its user alone may read it (mode 0600).
    ///
    /// ```swift
    /// try await client.download(Video(id: 1), to: path, progress: { bar.update($0.fraction) })
    /// ```
    /// - Parameters:
    ///   - path: where to; its folder must exist.
    ///   - configure: the call's own layer of settings.
    ///   - progress: told how far it is, from any thread; return quickly.
    /// - Throws: `TarmacError`, with `.unwritableFile` when the file cannot be written, or `CancellationError`.
    @discardableResult
    nonisolated(nonsending) public func download<E: Endpoint>(
        _ endpoint: E, to path: String, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> DownloadedFile {
        let sink = FileSink(path, tag: 0)
        let delivery = CallDelivery.file(path: sink.partialPath)
        return try await Flight.fly(endpoint, on: engine, for: binding, delivery: delivery, call: Options(configure), progress: progress) { builder in
            let built = try builder.build(endpoint)
            try sink.open()
            return built
        } land: { flight, response in
            defer { flight.endStream() }
            switch response.body {
            case .stream(let stream): for try await chunk in stream { try sink.write(chunk) }
            // Nothing when the transport has written the file; all of it when an interceptor answered.
            case .bytes(let bytes): try sink.write(bytes)
            }
            try sink.finish()
            return DownloadedFile(path: path, response: response)
        }
    }
}

/// A file that has landed.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public let path: String
    /// The head of the response it came with; its body is in the file.
    public let response: Response
}
