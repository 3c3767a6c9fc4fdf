/// Adds up an exchange's reports into progress.
final class TransferMeter: Sendable {
    private let progress: Locked<TransferProgress>
    private let tell: @Sendable (TransferProgress) -> Void

    init(_ toSend: Int64?, tell: @escaping @Sendable (TransferProgress) -> Void) {
        progress = Locked(TransferProgress(totalToSend: toSend))
        self.tell = tell
    }

    func note(_ report: Exchange.Report) {
        let changed = progress.withLock { progress -> TransferProgress? in
            switch report {
            case .sentBody(let bytes): progress.sent += Int64(bytes)
            case .receivedBody(let bytes): progress.received += Int64(bytes)
            case .resent: progress = TransferProgress(totalToSend: progress.totalToSend)
            case .contentLength(let length): progress.totalToReceive = length
            default: return nil
            }
            return progress
        }
        if let changed { tell(changed) }
    }
}
