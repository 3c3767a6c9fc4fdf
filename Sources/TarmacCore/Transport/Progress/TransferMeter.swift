/// Collects reports into progress and passes it on at most 20 times a second. The last state is always passed
/// on.
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

    /// Notes a report of the transport about one exchange.
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

    /// Changes the progress and passes it on if a report is due.
    package func update(_ change: (inout TransferProgress) -> Void) { tellDue(isFinal: false, change) }

    /// Passes on the last state, unless that was done.
    package func finish() { tellDue(isFinal: true) { _ in } }

    private func tellDue(isFinal: Bool, _ change: (inout TransferProgress) -> Void) {
        let now = time.moment
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
    /// Whether the last byte has moved. This state is passed on without delay.
    fileprivate var isWhole: Bool { totalToReceive == received && received > 0 || received == 0 && totalToSend == sent && sent > 0 }
}
