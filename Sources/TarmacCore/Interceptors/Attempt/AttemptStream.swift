import HTTPTypes

/// A streamed body with the attempt's time limits. The exchange ends with the stream or with its last reference.
final class AttemptStream: PouringSource {
    private let source: any ByteStreamSource
    private let end: AttemptEnd

    private init(_ source: any ByteStreamSource, end: AttemptEnd) {
        self.source = source
        self.end = end
    }

    /// - Parameter onEnd: receives the number of bytes at the end of the body, or `nil` if the body fails.
    static func wrap(
        _ stream: ByteStream, exchange: Exchange, watch: AttemptWatch, onEnd: @escaping @Sendable (Int64?) -> Void
    ) -> ByteStream {
        watch.setAwaited(false)
        // Made now, so that a body that is never read ends with its response.
        let end = AttemptEnd(exchange: exchange, watch: watch, onEnd: onEnd)
        return ByteStream { AttemptStream(stream.makeSource(), end: end) }
    }

    func next() async throws -> Bytes? {
        end.watch.setAwaited(true)
        defer { end.watch.setAwaited(false) }
        do {
            let chunk = try await withTaskCancellationHandler {
                try await source.next()
            } onCancel: { [end] in
                end.exchange.abort(.cancelled)
            }
            end.note(chunk)
            return chunk
        } catch {
            throw end.failure(error)
        }
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        guard let pouring = source as? any PouringSource else {
            while let chunk = try await next() { try sink(chunk) }
            return
        }
        end.watch.setAwaited(true)
        defer { end.watch.setAwaited(false) }
        do {
            try await withTaskCancellationHandler {
                try await pouring.pour { [end] chunk in
                    end.note(chunk)
                    try sink(chunk)
                }
            } onCancel: { [end] in
                end.exchange.abort(.cancelled)
            }
            end.note(nil)
        } catch {
            throw end.failure(error)
        }
    }
}

/// Ends the exchange of a streamed body once.
private final class AttemptEnd: Sendable {
    let exchange: Exchange
    let watch: AttemptWatch
    private let received = Locked<Int64>(0)
    private let onEnd: @Sendable (Int64?) -> Void

    init(exchange: Exchange, watch: AttemptWatch, onEnd: @escaping @Sendable (Int64?) -> Void) {
        self.exchange = exchange
        self.watch = watch
        self.onEnd = onEnd
    }

    func note(_ chunk: Bytes?) {
        let total = received.withLock { total in
            total += Int64(chunk?.count ?? 0)
            return total
        }
        if chunk == nil {
            watch.stop()
            onEnd(total)
        }
    }

    /// Returns the reason for the end of the stream. The reason of an abort wins over the transport's error.
    func failure(_ error: any Error) -> any Error {
        watch.stop()
        onEnd(nil)
        return exchange.abortReason?.error ?? exchange.known(error)
    }

    deinit {
        watch.stop()
        exchange.abort(.cancelled)
    }
}
