#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacOutbox

/// One entry for people: its place, its request, and why it is still there.
struct OutboxReport {
    let palette: Palette

    func text(_ record: OutboxRecord) -> String {
        let entry = OutboxEntry(record, sealer: nil)
        var lines = ["\(palette.paint(entry.id.rawValue, .bold))  \(state(entry))"]
        lines.append("  \(what(entry))")
        var facts = ["lane \(entry.lane)", "since \(Self.date(entry.created))", entry.attempts == 1 ? "1 attempt" : "\(entry.attempts) attempts"]
        if entry.state == .waiting { facts.append("due \(Self.date(entry.nextAttempt))") }
        if let expires = entry.expires { facts.append("expires \(Self.date(expires))") }
        lines.append("  " + palette.paint(Self.oneLine(facts.joined(separator: " · ")), .dim))
        if let failure = entry.failure { lines.append("  " + palette.paint(Self.oneLine("\(failure)"), .yellow)) }
        if let words = entry.failure?.serverMessage { lines.append("  The server says: \(Self.oneLine(words))") }
        return lines.joined(separator: "\n")
    }

    private func state(_ entry: OutboxEntry) -> String {
        if entry.state == .dead { return palette.paint("dead", .red) }
        return entry.isLeased ? palette.paint("being sent", .green) : "waiting"
    }

    /// Query values may be secrets.
    private func what(_ entry: OutboxEntry) -> String {
        guard let mutation = entry.mutation else { return entry.isSealed ? "sealed" : "unreadable" }
        let path = mutation.target.prefix { $0 != "?" }
        let query = path.count == mutation.target.count ? "" : "?…"
        return Self.oneLine("\(mutation.endpoint): \(mutation.method.rawValue) \(mutation.isPathSecret ? "/…" : String(path))\(query), \(mutation.shownBody)")
    }

    private static func date(_ date: Date) -> String { date.formatted(.iso8601) }

    /// Stored text must not move the cursor.
    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
#endif
