#if Tools
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Shows a transfer: a bar on a terminal, else a line now and then.
struct TransferDisplay: Sendable {
    private let bar: ProgressBar
    private let lines: Locked<ProgressLines>?
    private let start: ContinuousClock.Instant
    private let last = Locked(TransferProgress())

    init(_ terminal: Terminal) {
        bar = ProgressBar(terminal)
        start = .now
        lines = terminal.showsProgress ? nil : Locked(ProgressLines())
    }

    /// The text about the bytes that an interrupted transfer leaves for the next run; `nil` when nothing has moved.
    var kept: String? { Self.kept(last.withLock { $0 }) }

    static func kept(_ progress: TransferProgress) -> String? {
        let isReceiving = progress.received > 0
        let (done, total) = isReceiving ? (progress.received, progress.totalToReceive) : (progress.sent, progress.totalToSend)
        guard done > 0 else { return nil }
        let amount = total.map { "\(ProgressLine.size(done)) of \(ProgressLine.size($0))" } ?? ProgressLine.size(done)
        let place = isReceiving ? "are kept beside the file" : "were sent; the server keeps what arrived"
        return "\(amount) \(place). The same command goes on from there, where the server allows it."
    }

    /// Writes something else, on a line of its own.
    func note(_ text: String) { bar.makingRoom { Console.note(text) } }

    /// Shows a transfer while it runs, and says what an interrupted one leaves.
    ///
    /// - Parameter isResumable: whether another run can go on with it.
    func during<Value>(isResumable: Bool, _ transfer: () async throws -> Value) async throws -> Value {
        bar.begin()
        defer { bar.end() }
        do { return try await transfer() } catch is CancellationError {
            bar.end()
            if isResumable, let kept { Console.note(kept) }
            throw CancellationError()
        }
    }

    func update(_ progress: TransferProgress) {
        bar.update(progress)
        last.withLock { $0 = progress }
        guard let lines else { return }
        let elapsed = start.duration(to: .now)
        if let line = lines.withLock({ $0.line(for: progress, at: elapsed) }) { Console.note(line) }
    }
}

/// Decides which lines a log gets: one for each tenth, and one at least every ten seconds (pure).
struct ProgressLines {
    private var lastTenth = -1
    private var lastLine: Duration?

    mutating func line(for progress: TransferProgress, at elapsed: Duration) -> String? {
        let tenth = progress.fraction.map { Int($0 * 10) }
        let isDue = lastLine.map { elapsed - $0 >= .seconds(10) } ?? true
        guard isDue || tenth.map({ $0 > lastTenth }) ?? false else { return nil }
        (lastLine, lastTenth) = (elapsed, max(lastTenth, tenth ?? -1))
        let isReceiving = progress.received > 0 || progress.totalToSend == 0
        let (done, total) = isReceiving ? (progress.received, progress.totalToReceive) : (progress.sent, progress.totalToSend)
        var parts = [total.map { "\(ProgressLine.size(done)) of \(ProgressLine.size($0))" } ?? ProgressLine.size(done)]
        if let fraction = progress.fraction { parts.append("\(Int(fraction * 100))%") }
        // What was there already, or came in one piece, has no speed.
        if let rate = progress.rate, rate >= 1 || done != total { parts.append("\(ProgressLine.size(Int64(min(rate, 1e18))))/s") }
        parts += ProgressLine.rest(done, total, speed: progress.rate ?? 0)
        return parts.joined(separator: ", ")
    }
}
#endif
