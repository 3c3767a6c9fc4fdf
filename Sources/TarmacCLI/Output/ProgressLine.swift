#if Tools
import Tarmac

/// One line about a transfer: a bar when its length is known, else the amount alone; while nothing moves, that it waits
/// (pure).
struct ProgressLine {
    let progress: TransferProgress
    let elapsed: Duration

    /// The line, `columns` wide at most.
    func text(columns: Int) -> String {
        if isWaiting { return String(waiting.prefix(columns)) }
        let numbers = numbers.joined(separator: "  ")
        let room = min(40, columns - numbers.count - 6)
        guard let fraction = progress.fraction, room >= 8 else { return String(numbers.prefix(columns)) }
        let filled = Int((fraction * Double(room)).rounded(.down))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
        return "\(bar) \(Int(fraction * 100))%  \(numbers)"
    }

    private var numbers: [String] {
        let (done, total) = isReceiving ? (progress.received, progress.totalToReceive) : (progress.sent, progress.totalToSend)
        let amount = total.map { "\(Self.size(done)) of \(Self.size($0))" } ?? Self.size(done)
        // Of a transfer that goes on, what was there before came at no speed: the average is for the beginning alone.
        let speed = progress.rate ?? (elapsed.seconds > 0 ? Double(done) / elapsed.seconds : 0)
        // What was there already has no speed.
        let rate = speed >= 1 || done != total ? ["\(Self.size(Int64(min(speed, 1e18))))/s"] : []
        return [isReceiving ? "↓" : "↑", amount] + rate + Self.rest(done, total, speed: speed)
    }

    /// Nothing to send is left, and nothing has come yet.
    private var isWaiting: Bool {
        progress.received == 0 && (progress.sent == 0 || progress.totalToSend.map { progress.sent >= $0 } ?? false)
    }

    private var waiting: String {
        let turn = Self.turns[Int(elapsed.seconds * 10) % Self.turns.count]
        let sent = progress.sent > 0 ? "\(Self.size(progress.sent)) sent, " : ""
        return "\(turn) \(sent)waiting for the answer  \(Int(elapsed.seconds)) s"
    }

    private static let turns = ["|", "/", "-", "\\"]

    private var isReceiving: Bool { progress.received > 0 || progress.sent == 0 }

    /// How long the rest takes at a speed; nothing when that cannot be known.
    static func rest(_ done: Int64, _ total: Int64?, speed: Double) -> [String] {
        guard let total, speed > 1, total > done else { return [] }
        let seconds = Int(min(Double(total - done) / speed, 1e15).rounded(.up))
        return [seconds < 60 ? "\(seconds) s left" : "\(seconds / 60) min \(seconds % 60) s left"]
    }

    /// A size as people read it: `512 B`, `1.5 MiB`.
    static func size(_ bytes: Int64) -> String {
        var (value, unit) = (Double(bytes), 0)
        while value >= 1_024, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
        if unit == 0 { return "\(bytes) B" }
        let tenths = Int((value * 10).rounded())
        return tenths >= 1_000 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]
}
#endif
