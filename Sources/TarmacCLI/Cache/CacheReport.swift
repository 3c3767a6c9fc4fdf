#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacCache

/// Entries and sums for people.
struct CacheReport {
    let palette: Palette

    /// One entry in one line.
    func line(_ entry: CacheEntry) -> String {
        let size = palette.paint(ProgressLine.size(entry.bodyLength), .dim)
        return "\(palette.paint(Self.id(entry), .bold))  \(Self.shown(entry.key.method)) \(entry.status.code)  \(size)  \(Self.shown(Self.url(entry)))"
    }

    /// One entry with its fields.
    func text(_ entry: CacheEntry) -> String {
        var lines = [palette.paint(Self.shown("\(Self.id(entry))  \(entry.key.method) \(Self.url(entry))"), .bold)]
        var facts = ["stored \(entry.responseDate.formatted(.iso8601))", "service \(entry.key.service) in \(entry.key.environment)"]
        let principal = Self.principal(entry.key.principal)
        if !principal.isEmpty { facts.append("of \(principal)") }
        if !entry.tags.isEmpty { facts.append("tags \(entry.tags.sorted().joined(separator: ", "))") }
        if entry.isInvalidated { facts.append("invalidated") }
        lines.append("  " + palette.paint(Self.shown(facts.joined(separator: " · ")), .dim))
        let head = HeadText.response(entry.status, entry.headers, redactor: .standard, palette)
        lines += head.split(separator: "\n").map { "  \($0)" }
        lines.append("  " + palette.paint(body(entry), .dim))
        return lines.joined(separator: "\n")
    }

    private func body(_ entry: CacheEntry) -> String {
        let size = "body: \(entry.bodyLength) bytes"
        guard let part = entry.part else { return entry.form == .decoded ? size + ", decoded" : size }
        return size + " from \(part.offset) of \(part.total)" + (part.gaps.isEmpty ? "" : ", with gaps")
    }

    static func text(_ statistics: CacheStatistics, isSealed: Bool, file: Int64) -> String {
        let limit = statistics.limit > 0 ? " of \(ProgressLine.size(statistics.limit))" : ""
        let lines = ["entries  \(statistics.entries)", "size     \(ProgressLine.size(statistics.bytes))\(limit)", "file     \(ProgressLine.size(file))"]
        return (lines + (isSealed ? ["sealed"] : [])).joined(separator: "\n")
    }

    /// The user of an entry, by name or account; empty without a user.
    static func principal(_ text: String) -> String { Principal.name(inText: text) ?? text }

    static func id(_ entry: CacheEntry) -> String {
        let text = String(entry.id, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    /// The URL with secrets masked, as the app that stored it masks them.
    private static func url(_ entry: CacheEntry) -> String { entry.shownURL.isEmpty ? "\(entry.key)" : entry.shownURL }

    /// Stored or typed text must not move the cursor.
    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(4_000).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
#endif
