#if Inspector
import TarmacCallLog
import TarmacHAR

/// The calls that a page shows: those of a log, which change, or those of a file.
enum CallSource: Sendable {
    case log(CallLog)
    case file([CallLog.Entry])

    var log: CallLog? { if case .log(let log) = self { log } else { nil } }

    /// The calls with their numbers on the page. Calls of a file may have the same number in several logs, so their place counts.
    var numbered: [(id: UInt64, entry: CallLog.Entry)] {
        switch self {
        case .log(let log): log.entries.map { ($0.id, $0) }
        case .file(let entries): entries.enumerated().map { (UInt64($0.offset) + 1, $0.element) }
        }
    }

    func entry(_ id: UInt64) -> CallLog.Entry? {
        switch self {
        case .log(let log): log.entry(id)
        case .file(let entries): id >= 1 && id <= UInt64(entries.count) ? entries[Int(id) - 1] : nil
        }
    }

    var summaries: [CallSummary] { numbered.map { CallSummary($0.id, $0.entry) } }

    /// Returns the lines of calls on the board, and masks no other call.
    func summaries(of ids: Set<UInt64>) -> [CallSummary] {
        switch self {
        case .log(let log): log.entries(of: ids).map { CallSummary($0.id, $0) }
        case .file: ids.sorted().compactMap { id in entry(id).map { CallSummary(id, $0) } }
        }
    }

    /// Returns the calls that have a text anywhere, also in a field or a body.
    func search(_ text: String) -> [UInt64] {
        let filter = CallLog.Filter(text: text)
        return numbered.filter { filter.matches($0.entry) }.map(\.id)
    }

    var har: HAR { HAR(numbered.map(\.entry)) }
}
#endif
