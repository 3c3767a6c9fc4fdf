@_spi(TarmacRooms) import TarmacCore

/// The buffer between a session that delivers chunks and a reader that awaits them.
///
/// Above `highWater` bytes the session is suspended, if the platform supports it. Otherwise further bytes go to
/// a file.
final class StreamBuffer: Sendable {
    static let highWater = 256 << 10

    private let state: Locked<StreamBufferState>
    private let brake: (any Brake)?
    private let closed: @Sendable () -> Void

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - brake: suspends and resumes the session, or `nil` if the platform cannot.
    ///   - closed: a closure that runs once, when the reader has read the end or has stopped before it.
    init(brake: (any Brake)?, closed: @escaping @Sendable () -> Void) {
        self.brake = brake
        self.closed = closed
        state = Locked(StreamBufferState(spills: brake == nil, highWater: Self.highWater))
    }

    // MARK: The session's side

    /// Appends a chunk.
    ///
    /// - Throws: `TarmacError(.unwritableFile)` if the file cannot be written.
    func append(_ chunk: Bytes) throws(TarmacError) {
        switch try state.withLock({ state throws(TarmacError) in try state.append(chunk) }) {
        case .kept: break
        case .answers(let reader): reader.resume(returning: chunk)
        case .holds: brake?.hold()
        case .pours(let sink): pour(.sink(chunk, sink))
        }
    }

    /// Ends the stream after the last chunk. The reader receives the buffered bytes before an error, so that a
    /// download can continue after them.
    func finish(_ result: Result<Void, any Error> = .success(())) {
        guard let waiter = state.withLock({ $0.finish(result) }) else { return }
        close()
        waiter.end(with: result)
    }

    /// Ends the stream at once with an error, and drops the buffered bytes.
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

    /// Passes every chunk to `sink`.
    ///
    /// After the buffered chunks, `sink` runs on the thread of the session: a chunk is processed before the
    /// next one is read, and none waits in memory or in a file. For a session with a brake, a loop reads the
    /// chunks.
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

    /// Ends the reading. Only the first call counts.
    func close() {
        let result = state.withLock { $0.close() }
        if result.releases { brake?.release() }
        result.waiter?.end(with: .failure(CancellationError()))
        if result.isFirst { closed() }
    }
}

/// Suspends and resumes the source of a ``StreamBuffer``. One `release()` follows each `hold()`.
protocol Brake: Sendable {
    /// Suspends the source. The session calls it.
    func hold()
    /// Resumes the source. Any thread may call it, and it may arrive before its `hold()`.
    func release()
}
