/// Adds up what moves into progress, and tells it 20 times a second at most, the last state always.
package final class TransferMeter: Sendable {
    private struct State {
        var progress: TransferProgress
        var meter = ProgressMeter()
        var told: TransferProgress?
    }
    private let state: Locked<State>
    private let time: any TimeSource
    private let tell: @Sendable (TransferProgress) -> Void

    package init(_ toSend: Int64?, time: any TimeSource, tell: @escaping @Sendable (TransferProgress) -> Void) {
        state = Locked(State(progress: TransferProgress(totalToSend: toSend)))
        self.time = time
        self.tell = tell
    }

    /// What a transport reports of one exchange.
    func note(_ report: Exchange.Report) {
        switch report {
        case .sentBody(let bytes): update { $0.sent += Int64(bytes) }
        case .receivedBody(let bytes): update { $0.received += Int64(bytes) }
        case .resent: update { $0 = TransferProgress(totalToSend: $0.totalToSend) }
        case .contentLength(let length): update { $0.totalToReceive = length }
        case .ended: finish()
        default: break
        }
    }

    /// Changes the progress, and tells it when it is time to.
    package func update(_ change: (inout TransferProgress) -> Void) { tellDue(isFinal: false, change) }

    /// Tells the last state, unless it was told.
    package func finish() { tellDue(isFinal: true) { _ in } }

    private func tellDue(isFinal: Bool, _ change: (inout TransferProgress) -> Void) {
        let now = time.now
        let due = state.withLock { state -> TransferProgress? in
            change(&state.progress)
            guard state.meter.note(state.progress.moved, at: now, isFinal: isFinal || state.progress.isWhole) else { return nil }
            state.progress.rate = state.meter.rate
            if state.progress == state.told { return nil }
            state.told = state.progress
            return state.progress
        }
        if let due { tell(due) }
    }
}

extension TransferProgress {
    fileprivate var moved: Int64 { sent + received }
    /// The last byte has moved: nobody should have to wait for the update that says so.
    fileprivate var isWhole: Bool { totalToReceive == received && received > 0 || received == 0 && totalToSend == sent && sent > 0 }
}
