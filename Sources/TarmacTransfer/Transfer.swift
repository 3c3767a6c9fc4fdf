@_spi(TarmacRooms) public import TarmacCore

/// A running download or upload that can be paused and resumed. Its progress is a sequence.
///
/// ```swift
/// let video = client.startDownload(Video(id: 1), to: path)
/// for await progress in video.progress { bar.update(progress.fraction) }
/// let file = try await video.value
/// ```
/// It runs as long as a reference to it exists: releasing the last reference cancels it.
public final class Transfer<Value: Sendable>: Sendable {
    private let state: Locked<TransferState<Value>>
    private let feed = ProgressFeed()
    private let hold: TransferHold
    private typealias Work = @Sendable (_ tell: @escaping @Sendable (TransferProgress) -> Void) async throws -> Value
    /// The work with the body and the settings of the call. `nil` after the end, which does not need them.
    private let work: Locked<Work?>

    package init(hold: TransferHold, fly: @escaping @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws -> Value) {
        self.hold = hold
        work = Locked(fly)
        state = Locked(TransferState())
        // LIFETIME: held by the state, which the deinit cancels; it holds the transfer only while it lands.
        let task = Task { [weak self, feed] in
            guard let fly = self?.work.withLock({ $0 }) else { return }
            let result: Result<Value, any Error>
            do { result = .success(try await fly { feed.send($0) }) } catch { result = .failure(error) }
            self?.landed(result)
        }
        state.withLock { $0.begin(task) }
    }

    deinit { end(state.withLock { $0.cancel() }) }

    /// The value of the completed transfer. Waits for it, also while the transfer is paused.
    ///
    /// Throws `TarmacError`, or `CancellationError` after ``cancel()``. Cancelling the waiting task ends only the wait.
    public var value: Value {
        get async throws {
            let wait = Settlement<Value>()
            let place = state.withLock { $0.add(wait) }
            defer { if let place { state.withLock { $0.remove(place) } } }
            return try await wait.value()
        }
    }

    /// The progress, as a sequence that ends with the transfer. Each reader has its own, which drops old values for a
    /// slow reader.
    public var progress: AsyncStream<TransferProgress> { feed.stream() }

    /// Whether the transfer is paused.
    public var isPaused: Bool { hold.isPaused }

    /// Stops the exchange and keeps the bytes transferred so far. The call waits, and stays one call: its
    /// ``Options/deadline`` continues to run.
    ///
    /// A transfer that has completed, or that completes before it can be stopped, is not affected.
    public func pause() { hold.pause() }

    /// Continues a paused transfer: by Range, or from the beginning if the server does not support it.
    public func resume() { hold.resume() }

    /// Cancels the transfer: ``value`` throws `CancellationError`. A record in the ledger stays for another call.
    public func cancel() {
        end(state.withLock { $0.cancel() })
    }

    /// The number of tasks that wait for the value.
    var waiting: Int { state.withLock { $0.waiting } }

    private func landed(_ result: Result<Value, any Error>) {
        let waits = state.withLock { $0.land(result) }
        guard let waits else { return }
        letGo()
        if case .success = result { hold.close() } else { hold.discard() }
        feed.finish()
        for wait in waits { wait.settle(result) }
    }

    /// Releases the work without the lock, because its captures may run code of the app when they go.
    private func letGo() {
        _ = work.withLock { work in
            defer { work = nil }
            return work
        }
    }

    private func end(_ ending: TransferState<Value>.Ending?) {
        guard let ending else { return }
        ending.task?.cancel()
        letGo()
        hold.discard()
        feed.finish()
        for wait in ending.waits { wait.settle(.failure(CancellationError())) }
    }
}
