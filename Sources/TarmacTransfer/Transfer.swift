public import TarmacCore

/// A download or upload that was started: it can be paused and resumed, and its progress is a sequence.
///
/// ```swift
/// let video = client.startDownload(Video(id: 1), to: path)
/// for await progress in video.progress { bar.update(progress.fraction) }
/// let file = try await video.value
/// ```
/// It runs for as long as it is held: dropping the last reference cancels it.
public final class Transfer<Value: Sendable>: Sendable {
    private let state: Locked<TransferState<Value>>
    private let feed = ProgressFeed()
    private let hold: TransferHold
    private let fly: @Sendable (_ tell: @escaping @Sendable (TransferProgress) -> Void) async throws -> Value

    init(hold: TransferHold, fly: @escaping @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws -> Value) {
        self.hold = hold
        self.fly = fly
        state = Locked(TransferState())
        resume()
    }

    deinit { end(state.withLock { $0.cancel() }) }

    /// What it lands as; waits for it while it is paused, too.
    ///
    /// Throws `TarmacError`, or `CancellationError` after ``cancel()``. Cancelling the task that waits ends the waiting alone.
    public var value: Value {
        get async throws {
            let wait = TransferWait<Value>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    wait.begin(continuation)
                    if let result = state.withLock({ $0.add(wait) }) { wait.finish(result) }
                    // A cancellation before found nothing to remove.
                    if Task.isCancelled { state.withLock { $0.remove(wait) } }
                }
            } onCancel: {
                state.withLock { $0.remove(wait) }
                wait.finish(.failure(CancellationError()))
            }
        }
    }

    /// How far it is, the newest state first; ends with the transfer. Each reader has a sequence of its own, which drops what
    /// is old when he takes his time.
    public var progress: AsyncStream<TransferProgress> { feed.stream() }

    /// Whether it is paused.
    public var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Ends the exchange and keeps what there is. Nothing happens to a transfer that has landed, or lands before it can be ended.
    public func pause() {
        hold.setPausing(true)
        state.withLock { $0.pause() }?.cancel()
    }

    /// Goes on where it was paused: by Range, or from the start where the server does not allow it.
    public func resume() {
        state.withLock { state in state.resume { start($0, after: $1) } }
    }

    private func start(_ number: Int, after before: Task<Void, Never>?) -> Task<Void, Never> {
        // LIFETIME: held by the state, which the deinit cancels; it holds the transfer only while it lands.
        Task { [weak self, fly, feed, hold] in
            // Two that write one file would be in each other's way.
            await before?.value
            guard self?.isPresent(number) == true else { return }
            hold.setPausing(false)
            let result: Result<Value, any Error>
            do { result = .success(try await fly { feed.send($0) }) } catch { result = .failure(error) }
            self?.landed(result, number)
        }
    }

    /// Ends it: ``value`` throws `CancellationError`. What a ledger keeps stays for another call.
    public func cancel() {
        end(state.withLock { $0.cancel() })
    }

    /// How many wait for the value.
    var waiting: Int { state.withLock { $0.waiting } }

    private func isPresent(_ number: Int) -> Bool { state.withLock { $0.isPresent(number) } }

    private func landed(_ result: Result<Value, any Error>, _ number: Int) {
        let waits = state.withLock { $0.land(result, number) }
        guard let waits else { return }
        feed.finish()
        for wait in waits { wait.finish(result) }
    }

    private func end(_ ending: TransferState<Value>.Ending?) {
        guard let ending else { return }
        ending.task?.cancel()
        hold.discard()
        feed.finish()
        for wait in ending.waits { wait.finish(.failure(CancellationError())) }
    }
}
