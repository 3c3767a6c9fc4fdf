import TarmacCore

/// What lies between a session that delivers chunks and a reader that awaits them.
///
/// Beyond `highWater` bytes the session is held, where the platform can; where it cannot, what follows waits in a file.
final class StreamBuffer: Sendable {
    static let highWater = 256 << 10

    private let state: Locked<StreamBufferState>
    private let brake: (any Brake)?
    private let closed: @Sendable () -> Void

    /// - Parameters:
    ///   - brake: stops and restarts the session; `nil` where nothing can.
    ///   - closed: called once, when the reader has seen the end or has left before it.
    init(brake: (any Brake)?, closed: @escaping @Sendable () -> Void) {
        self.brake = brake
        self.closed = closed
        state = Locked(StreamBufferState(spills: brake == nil, highWater: Self.highWater))
    }

    // MARK: The session's side

    /// Throws `TarmacError(.unwritableFile)` when the file cannot take it.
    func append(_ chunk: Bytes) throws(TarmacError) {
        switch try state.withLock({ state throws(TarmacError) in try state.append(chunk) }) {
        case .kept: break
        case .answers(let reader): reader.resume(returning: chunk)
        case .holds: brake?.hold()
        case .pours(let sink): pour(.sink(chunk, sink))
        }
    }

    /// The last chunk was appended. What is buffered is read before an error comes: a download goes on behind it.
    func finish(_ result: Result<Void, any Error> = .success(())) {
        guard let waiter = state.withLock({ $0.finish(result) }) else { return }
        close()
        waiter.end(with: result)
    }

    /// Ends the stream at once with an error; what is buffered is dropped.
    func fail(_ error: any Error) {
        let result = state.withLock { $0.fail(error) }
        if result.releases { brake?.release() }
        result.waiter?.end(with: .failure(error))
    }

    // MARK: The reader's side

    func next() async throws -> Bytes? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { $0.next(for: continuation) }
                if result.releases { brake?.release() }
                guard let answer = result.answer else { return }
                if case .success(_?) = answer {} else { close() }
                continuation.resume(with: answer)
            }
        } onCancel: {
            close()
        }
    }

    /// Hands every chunk to `sink`, on the session's thread once what was there before is through: a chunk is where it belongs before
    /// the next is read, and none waits in memory or in a file. A session with a brake is read in a loop.
    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        guard brake == nil else {
            while let chunk = try await next() { try sink(chunk) }
            return
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                pour(state.withLock { $0.pour(.init(sink: sink, continuation: continuation)) })
            }
        } onCancel: {
            close()
        }
    }

    private func pour(_ first: StreamBufferState.PourStep) {
        var step = first
        while case .sink(let chunk, let sink) = step {
            let result = Result { try sink(chunk) }
            step = state.withLock { $0.poured(result) }
        }
        guard case .done(let continuation, let result) = step else { return }
        close()
        continuation.resume(with: result)
    }

    /// Ends the reading; the first call counts.
    func close() {
        let result = state.withLock { $0.close() }
        if result.releases { brake?.release() }
        result.waiter?.end(with: .failure(CancellationError()))
        if result.isFirst { closed() }
    }
}

/// Stops and restarts what fills a ``StreamBuffer``. Every `hold()` is followed by one `release()`.
protocol Brake: Sendable {
    /// Called by the session.
    func hold()
    /// Called from any thread, at times before the `hold()` it belongs to.
    func release()
}
