#if Inspector
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacCallLog

/// One line of the board. Everything in it comes from a masked entry.
struct CallSummary: Encodable, Sendable, Hashable {
    struct Bar: Encodable, Sendable, Hashable {
        /// In milliseconds from the start of the call.
        let start: Double
        let duration: Double?
        let status: Int?
        let failed: Bool
    }

    let id: UInt64
    let endpoint: String
    let service: String
    let tags: [String]
    let state: String
    /// In milliseconds since 1970.
    let start: Double
    let duration: Double?
    let method: String
    let url: String
    let status: Int?
    let source: String?
    let code: String?
    let size: Int64?
    let type: String?
    let attempts: Int
    let bars: [Bar]
    let marks: [String]
    /// Whether a fault of the inspector stands for the response.
    let fault: Bool

    init(_ id: UInt64, _ entry: CallLog.Entry) {
        let request = entry.request ?? entry.attempts.first?.request
        (self.id, endpoint, service, tags) = (id, entry.endpoint, entry.service, entry.tags)
        (state, start) = (entry.state.rawValue, (entry.start.timeIntervalSince1970 * 1_000).rounded())
        duration = entry.duration?.milliseconds
        (method, url) = (request?.method ?? "", request?.url ?? "")
        (status, source, code) = (entry.status, entry.source?.rawValue, entry.failure?.code)
        (size, type) = (entry.response?.body?.size, entry.response?.body?.mediaType)
        attempts = entry.attempts.last?.number ?? 0
        bars = entry.attempts.suffix(Self.mostBars).map { Bar($0) }
        let kinds = entry.events.map(\.kind.rawValue)
        marks = Self.marked.filter { kinds.contains($0) }
        fault = ServiceFault.isCause(of: entry)
    }

    /// The bars of a call that reconnects for days.
    private static let mostBars = 16
    private static let marked = ["retry", "redirect", "refresh", "hedge", "host", "coalesced", "warning"]
}

extension CallSummary.Bar {
    init(_ attempt: CallLog.Attempt) {
        self.init(
            start: attempt.start.milliseconds, duration: attempt.timings?.total?.milliseconds, status: attempt.response?.status,
            failed: attempt.failure != nil)
    }
}

extension Duration {
    /// With three decimals.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return ((Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded()) / 1_000
    }
}
#endif
