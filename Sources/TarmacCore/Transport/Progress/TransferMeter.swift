@_spi(TarmacRooms) import TarmacHTTP

/// Collects reports into progress and passes it on at most 20 times a second. The last state is always passed on, at the
/// latest at the end of the interval.
package final class TransferMeter: Sendable {
    fileprivate struct State {
        var progress: TransferProgress
        var meter = ProgressMeter()
        var told: TransferProgress?
        /// Whether a thread passes a state on. Others leave theirs to it, so that states keep their order.
        var isTelling = false
        var owed: TransferProgress?
        /// The end of the interval, if a state waits for it.
        var edge: DeadlineTimer<Edge>?
    }
    fileprivate struct Edge: DeadlineWatch {
        let act: @Sendable () -> Moment?
        func expire(_ now: Moment) -> Moment? { act() }
    }
    private let state: Locked<State>
    private let time: any TimeSource
    private let deadlines: DeadlineHeap
    private let tell: @Sendable (TransferProgress) -> Void

    package init(_ toSend: Int64?, time: any TimeSource, deadlines: DeadlineHeap, tell: @escaping @Sendable (TransferProgress) -> Void) {
        state = Locked(State(progress: TransferProgress(totalToSend: toSend)))
        (self.time, self.deadlines, self.tell) = (time, deadlines, tell)
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

    /// Changes the progress and passes it on: now if a report is due, otherwise at the end of the interval.
    package func update(_ change: (inout TransferProgress) -> Void) { tellDue(isFinal: false, change) }

    /// Passes on the last state, unless that was done.
    package func finish() { tellDue(isFinal: true) { _ in } }

    private func tellDue(isFinal: Bool, _ change: (inout TransferProgress) -> Void) {
        let now = time.moment
        let (first, edge, end) = state.withLock { state -> (TransferProgress?, DeadlineTimer<Edge>?, Moment?) in
            change(&state.progress)
            let due = state.due(now, isFinal: isFinal)
            guard due == nil, !isFinal, state.edge == nil, state.progress != state.told, let end = state.meter.end else { return (due, nil, nil) }
            state.edge = DeadlineTimer(Edge { [weak self] in self?.expire() }, in: deadlines)
            return (nil, state.edge, end)
        }
        if let edge, let end { edge.start(at: end) }
        var due = first
        while let progress = due {
            tell(progress)
            due = state.withLock { state in
                defer { (state.isTelling, state.owed) = (state.owed != nil, nil) }
                return state.owed
            }
        }
    }

    private func expire() -> Moment? {
        state.withLock { $0.edge = nil }
        update { _ in }
        return nil
    }
}

extension TransferMeter.State {
    /// Returns the state to pass on, if one is due and no thread is passing one on.
    fileprivate mutating func due(_ now: Moment, isFinal: Bool) -> TransferProgress? {
        guard meter.note(progress.moved, at: now, isFinal: isFinal || progress.isWhole) else { return nil }
        progress.rate = meter.rate
        if progress == told { return nil }
        (told, owed) = (progress, isTelling ? progress : nil)
        defer { isTelling = true }
        return isTelling ? nil : progress
    }
}

extension TransferProgress {
    fileprivate var moved: Int64 { sent + received }
    /// Whether the last byte has moved. This state is passed on without delay.
    fileprivate var isWhole: Bool { totalToReceive == received && received > 0 || received == 0 && totalToSend == sent && sent > 0 }
}
