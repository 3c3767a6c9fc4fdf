#if Tools
import Tarmac
import TarmacCallLog
@_spi(TarmacRooms) import TarmacCore

/// Draws where the time of calls went: a line for each call and each of its attempts, on one scale (pure).
struct Waterfall {
    let columns: Int
    let palette: Palette

    /// The largest number of lines with bars.
    static let most = 200
    private static let narrowest = 10
    private static let gap = 2

    /// Returns the lines, at most as wide as the terminal unless that is too narrow for a bar. None without calls.
    func lines(_ entries: [CallLog.Entry]) -> [String] {
        let lanes = WaterfallRow.lanes(of: entries), drawn = lanes.prefix(Self.most)
        if lanes.isEmpty { return [] }
        let third = max(Self.narrowest, columns / 3)
        let label = min(third, drawn.map(\.label.count).max() ?? 0), outcome = min(third, drawn.map(\.outcome.count).max() ?? 0)
        let bar = max(Self.narrowest, columns - label - outcome - 2 * Self.gap)
        let scale = Scale(end: lanes.map(\.end).max() ?? 0, width: bar)
        var lines = [summary(entries, scale)]
        lines += drawn.map { line($0, label, scale, outcome) }
        if lanes.count > drawn.count { lines.append("… and \(lanes.count - drawn.count) more lines") }
        return lines + legend(drawn, scale)
    }

    private func summary(_ entries: [CallLog.Entry], _ scale: Scale) -> String {
        let requests = entries.reduce(0) { $0 + $1.attempts.count }
        let calls = entries.count == 1 ? "1 call" : "\(entries.count) calls"
        return "\(calls), \(requests == 1 ? "1 request" : "\(requests) requests"), \(Duration.seconds(scale.end).shown)"
    }

    private func line(_ lane: WaterfallRow, _ label: Int, _ scale: Scale, _ outcome: Int) -> String {
        let bar = scale.cells(of: lane), gap = String(repeating: " ", count: Self.gap)
        return lane.label.fitted(label) + gap + painted(bar) + gap + palette.paint(lane.outcome.cut(outcome), lane.colour)
    }

    /// Paints each run of one phase at once.
    private func painted(_ cells: [LanePhase?]) -> String {
        var text = "", rest = cells[...]
        while let phase = rest.first {
            let run = rest.prefix { $0 == phase }
            let drawn = String(repeating: phase?.rawValue ?? " ", count: run.count)
            text += phase.map { palette.paint(drawn, $0.colour) } ?? drawn
            rest = rest.dropFirst(run.count)
        }
        return text
    }

    private func legend(_ lanes: ArraySlice<WaterfallRow>, _ scale: Scale) -> [String] {
        let seen = Set(lanes.flatMap { scale.cells(of: $0).compactMap(\.self) })
        let parts = LanePhase.allCases.filter(seen.contains).compactMap { phase in
            phase.name.map { "\(palette.paint("\(phase.rawValue)", phase.colour)) \($0)" }
        }
        return parts.isEmpty ? [] : [parts.joined(separator: "  ")]
    }
}

/// Turns times into columns.
private struct Scale {
    /// The end of the last lane, in seconds.
    let end: Double
    let width: Int

    /// Returns the phase of each column. A lane has at least one, that of its longest phase.
    func cells(of lane: WaterfallRow) -> [LanePhase?] {
        var cells = [LanePhase?](repeating: nil, count: width), time = lane.start
        for span in lane.spans {
            for column in column(time)..<column(time + span.seconds) { cells[column] = span.phase }
            time += span.seconds
        }
        if cells.allSatisfy({ $0 == nil }) {
            cells[min(width - 1, column(lane.start))] = lane.spans.reversed().max { $0.seconds < $1.seconds }?.phase
        }
        return cells
    }

    private func column(_ seconds: Double) -> Int {
        end > 0 ? min(width, max(0, Int((seconds / end * Double(width)).rounded()))) : 0
    }
}

extension String {
    /// The text in at most so many characters.
    fileprivate func cut(_ width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }

    /// The text in exactly so many characters.
    fileprivate func fitted(_ width: Int) -> String {
        let cut = cut(width)
        return cut + String(repeating: " ", count: width - cut.count)
    }
}
#endif
