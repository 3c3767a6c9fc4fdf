import HTTPTypes
@_spi(TarmacRooms) import TarmacHTTP

/// A streamed body with the attempt's time limits. The exchange ends with the stream or with its last reference.
final class AttemptStream: PouringSource {
    private let source: any ByteStreamSource
    private let end: AttemptEnd

    private init(_ source: any ByteStreamSource, end: AttemptEnd) {
        self.source = source
        self.end = end
    }

    /// - Parameter onEnd: called once, with the number of bytes at the end of the body, or `nil` if it fails or is not read to its end.
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
    private let state: Locked<(received: Int64, onEnd: (@Sendable (Int64?) -> Void)?)>

    init(exchange: Exchange, watch: AttemptWatch, onEnd: @escaping @Sendable (Int64?) -> Void) {
        (self.exchange, self.watch, state) = (exchange, watch, Locked((0, onEnd)))
    }

    func note(_ chunk: Bytes?) {
        if let chunk { state.withLock { $0.received += Int64(chunk.count) } } else { end(isWhole: true) }
    }

    /// Returns the reason for the end of the stream. The reason of an abort wins over the transport's error.
    func failure(_ error: any Error) -> any Error {
        end(isWhole: false)
        return exchange.abortReason?.error ?? exchange.known(error)
    }

    private func end(isWhole: Bool) {
        watch.stop()
        let (received, onEnd) = state.withLock { state in
            defer { state.onEnd = nil }
            return state
        }
        onEnd?(isWhole ? received : nil)
    }

    deinit {
        exchange.abort(.cancelled)
        end(isWhole: false)
    }
}
