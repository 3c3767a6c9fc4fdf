#if Tools
import Foundation
import Tarmac
import TarmacCallLog
@_spi(TarmacRooms) import TarmacCore

/// One line of a waterfall: a call or one of its attempts.
struct WaterfallRow {
    let label: String
    let outcome: String
    let colour: Palette.Colour
    /// In seconds since the first call.
    let start: Double
    let spans: [Span]

    struct Span {
        let phase: LanePhase
        let seconds: Double
    }

    var end: Double { spans.reduce(start) { $0 + $1.seconds } }

    /// Returns a lane for each call, and below it one for each of its attempts.
    static func lanes(of entries: [CallLog.Entry]) -> [WaterfallRow] {
        guard let first = entries.map(\.start).min() else { return [] }
        return entries.flatMap { entry in
            let start = entry.start.timeIntervalSince(first)
            return [WaterfallRow(entry, start)] + entry.attempts.map { WaterfallRow($0, of: entry, start) }
        }
    }

    private init(_ entry: CallLog.Entry, _ start: Double) {
        let told = entry.attempts.map { $0.start.seconds + ($0.timings?.total?.seconds ?? 0) }.max() ?? 0
        label = "#\(entry.id) " + (entry.request.map { "\($0.method) \(Self.short($0.url))" } ?? entry.endpoint)
        let parts = [entry.state.rawValue, entry.answer, entry.duration.map { "in \($0.shown)" }].compactMap(\.self)
        outcome = parts.joined(separator: " ")
        colour = entry.state == .landed ? .green : entry.state == .failed ? .red : .yellow
        self.start = start
        spans = [Span(phase: .call, seconds: entry.duration?.seconds ?? told)]
    }

    private init(_ attempt: CallLog.Attempt, of entry: CallLog.Entry, _ start: Double) {
        label = "  \(attempt.number)" + (attempt.reason.map { " \($0)" } ?? "")
        let answer = attempt.failure?.code ?? attempt.response.map { "\($0.status)" } ?? "no answer"
        outcome = answer + (attempt.timings?.total.map { " in \($0.shown)" } ?? "")
        colour = attempt.failure != nil ? .red : Self.colour(of: attempt.response?.status)
        let queued = attempt.timings?.queued?.seconds ?? 0
        self.start = max(start, start + attempt.start.seconds - queued)
        // An attempt in flight has no timings.
        let end = entry.attempts.first { $0.start > attempt.start }?.start ?? entry.duration ?? attempt.start
        spans = attempt.timings.map(Self.spans) ?? [Span(phase: .unknown, seconds: max(0, (end - attempt.start).seconds))]
    }

    /// A URL without its scheme, because there is little room.
    private static func short(_ url: String) -> Substring {
        let parts = url.split(separator: "://", maxSplits: 1)
        return parts.count == 2 ? parts[1] : url[...]
    }

    private static func colour(of status: Int?) -> Palette.Colour {
        guard let status else { return .dim }
        return status < 300 ? .green : status < 400 ? .yellow : .red
    }

    private static func spans(_ timings: CallLog.Timings) -> [Span] {
        let known: [(LanePhase, Duration?)] = [
            (.nameResolution, timings.nameResolution), (.connect, timings.connect), (.tls, timings.tls), (.send, timings.send),
            (.wait, timings.wait), (.receive, timings.receive),
        ]
        let spans = known.compactMap { phase, span in span.map { Span(phase: phase, seconds: max(0, $0.seconds)) } }
        let rest = (timings.total?.seconds ?? 0) - spans.reduce(0) { $0 + $1.seconds }
        let queued = Span(phase: .queued, seconds: max(0, timings.queued?.seconds ?? 0))
        return [queued] + spans + [Span(phase: .unknown, seconds: max(0, rest))]
    }
}

extension CallLog.Entry {
    /// The status, or the code of a failure without one.
    fileprivate var answer: String? {
        if let status { return "\(status)" + (source?.isCache == true ? " from the cache" : "") }
        return state == .failed ? failure?.code : nil
    }
}
#endif
