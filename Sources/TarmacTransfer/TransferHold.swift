@_spi(TarmacRooms) package import TarmacCore
import TarmacDigest
import TarmacSupport

/// Pauses the exchange of a call, which stays one call, and keeps its bytes if no ledger does.
package final class TransferHold: Sendable {
    package let ledger = TransferLedger(MemoryTransferStore())
    /// The key in the ledger. It differs from that of every other hold, so that a call may start again while the files of the
    /// cancelled one are still open.
    let key = Hexadecimal.text((0..<8).map { _ in UInt8.random(in: .min ... .max) })
    private struct State {
        var isPaused = false
        /// The number of the last change of the pause.
        var number = 0
        /// Whether a pause has stopped the exchange, which has not ended yet.
        var isStopping = false
        var isOver = false
        var owner: TransferOwner?
        var files: [String] = []
        /// Cancels the running exchange.
        var stop: (@Sendable () -> Void)?
        /// The call that waits for the end of the pause.
        var wait: CallWait?
    }
    private let state = Locked(State())

    package init() {}

    /// Does what a handle reports, unless a later report came first.
    fileprivate func note(_ pause: CallHandle.Pause) {
        let isNews = state.withLock { state in
            defer { state.number = max(state.number, pause.number) }
            return pause.number > state.number
        }
        if isNews, pause.isPaused { self.pause() } else if isNews { resume() }
    }

    /// The user of the call, once it is known.
    var owner: TransferOwner? {
        get { state.withLock { $0.owner } }
        set { state.withLock { $0.owner = newValue } }
    }

    var isPaused: Bool { state.withLock { $0.isPaused } }
    /// Whether the transfer is about to be paused, so that its bytes are kept.
    var isPausing: Bool { state.withLock { $0.isPaused || $0.isStopping } }

    func pause() {
        let stop = state.withLock { state -> (@Sendable () -> Void)? in
            if state.isOver || state.isPaused { return nil }
            (state.isPaused, state.isStopping) = (true, state.stop != nil)
            return state.stop
        }
        stop?()
    }

    func resume() {
        let wait = state.withLock { state in
            state.isPaused = false
            defer { state.wait = nil }
            return state.wait
        }
        wait?.settle(.success(()))
    }

    /// Carries out the exchange of a call, and again after each pause. The call waits in between. An exchange that
    /// completes before it can be stopped counts.
    func run<Value: Sendable>(in context: CallContext, _ exchange: @escaping @Sendable () async throws -> Value) async throws -> Value {
        while true {
            try await resumed(context)
            // LIFETIME: ends with the exchange, which a pause and the end of the call cancel.
            let task = Task { try await exchange() }
            begin { task.cancel() }
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            let wasStopped = end()
            guard case .failure = result, wasStopped, !Task.isCancelled, !context.isCancelled else { return try result.get() }
            context.beginAnew()
        }
    }

    private func resumed(_ context: CallContext) async throws {
        while let wait = pauseToAwait(context) { try await context.hold(wait) }
    }

    private func pauseToAwait(_ context: CallContext) -> CallWait? {
        state.withLock { state in
            guard state.isPaused else { return nil }
            let wait = CallWait(late: context.deadlineExceeded(.waiting))
            state.wait = wait
            return wait
        }
    }

    private func begin(_ stop: @escaping @Sendable () -> Void) {
        // The pause may have come just before.
        let (isPaused, _) = state.withLock { state in
            defer { (state.stop, state.isStopping) = (stop, state.isPaused) }
            return (state.isPaused, state.stop)
        }
        if isPaused { stop() }
    }

    /// Returns whether a pause has stopped the exchange.
    private func end() -> Bool {
        let (isStopping, _) = state.withLock { state in
            defer { (state.stop, state.isStopping) = (nil, false) }
            return (state.isStopping, state.stop)
        }
        return isStopping
    }

    /// Notes files that are only kept for the pause.
    func keep(_ files: [String]) {
        let isOver = state.withLock { state in
            state.files = files
            return state.isOver
        }
        if isOver { discard() }
    }

    /// Ends the hold with the transfer.
    func close() { state.withLock { ($0.isOver, $0.isPaused, $0.files) = (true, false, []) } }

    /// Removes the kept files, because the transfer does not continue.
    func discard() {
        let files = state.withLock { state in
            (state.isOver, state.isPaused, state.isStopping, state.wait) = (true, false, false, nil)
            defer { state.files = [] }
            return state.files
        }
        files.forEach(FileDescriptor.removeFile)
    }
}

extension WorkRun {
    /// Runs a transfer that the handle of its owner can pause.
    package nonisolated(nonsending) func pausable<Value: Sendable>(_ fly: nonisolated(nonsending) (WorkRun) async throws -> Value) async throws -> Value {
        guard let handle = binding.owner?.handle else { return try await fly(self) }
        let hold = TransferHold()
        var run = self
        run.options[Settings.transferHold] = .some(hold)
        let key = handle.whenPaused { hold.note($0) }
        defer { handle.forgetPause(key) }
        do {
            let value = try await fly(run)
            hold.close()
            return value
        } catch {
            hold.discard()
            throw error
        }
    }
}

extension Flight {
    /// Carries out an exchange that ``CallHandle/pause()`` may stop.
    package func pausable<Value: Sendable>(_ exchange: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let hold = context.option(Settings.transferHold) else { return try await exchange() }
        return try await hold.run(in: context, exchange)
    }
}

extension Settings {
    package static let transferHold = Setting<TransferHold?>("transferHold", default: nil) {
        $0.describe = { _ in "set" }
    }
}
