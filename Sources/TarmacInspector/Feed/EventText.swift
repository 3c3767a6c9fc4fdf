#if Inspector
import TarmacJSON
import TarmacCallLog

/// Writes changes as server-sent events (pure).
enum EventText {
    static let hello = Array("retry: 1000\nevent: hello\ndata: {}\n\n".utf8)
    /// A comment, which finds out whether the page is still there.
    static let pulse = Array(": pulse\n\n".utf8)

    /// - Parameter summaries: the present state of the calls that have changed.
    static func text(_ batch: PendingChanges.Batch, _ summaries: [CallSummary]) -> [UInt8] {
        if batch.mustReset { return event("reset", Array("{}".utf8)) }
        var text: [UInt8] = []
        if batch.isCleared { text += event("cleared", Array("{}".utf8)) }
        if !summaries.isEmpty { text += event("rows", PageJSON.bytes(summaries)) }
        if !batch.removed.isEmpty { text += event("removed", PageJSON.bytes(batch.removed)) }
        return text
    }

    /// Compact JSON has no line break, so it is one line of data.
    private static func event(_ name: String, _ data: [UInt8]) -> [UInt8] { Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8) }
}
#endif
