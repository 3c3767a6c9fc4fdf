import TarmacCore
import TarmacLog

/// A call in words, for ``CallLogView``.
struct CallPage: Sendable, Identifiable {
    enum Outcome: Sendable, CaseIterable { case flying, landed, refused, failed, cancelled }

    struct Line: Sendable, Hashable {
        let name: String
        let value: String
    }

    struct Section: Sendable {
        let title: String
        var lines: [Line] = []
        /// A body, or a command.
        var text: String?
    }

    let entry: CallLog.Entry
    var id: CallLog.Entry.ID { entry.id }

    /// The method and the URL, or the endpoint of a call without a request.
    var title: String { (entry.request ?? entry.attempts.first?.request)?.description ?? entry.endpoint }

    /// The outcome, such as `200 · 42 ms · 2 attempts`.
    var summary: String {
        let end = entry.failure?.code ?? (entry.state == .landed ? nil : entry.state.rawValue)
        let source = entry.source.flatMap { $0.isCache ? "cache" : nil }, count = entry.attempts.count
        let parts = [entry.status.map { "\($0)" }, end, source, entry.duration?.shown, count > 1 ? "\(count) attempts" : nil]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    var outcome: Outcome {
        switch entry.state {
        case .flying: .flying
        case .cancelled: .cancelled
        case .landed: (entry.status ?? 200) < 400 ? .landed : .refused
        case .failed: .failed
        }
    }

    var sections: [Section] {
        var sections = [overview] + entry.attempts.map(section)
        if let response = entry.response, let body = response.body { sections.append(Section(title: "Response", text: Self.text(of: body))) }
        if let body = (entry.request ?? entry.attempts.last?.request)?.body { sections.append(Section(title: "Request", text: Self.text(of: body))) }
        if !entry.events.isEmpty {
            sections.append(Section(title: "Events", lines: entry.events.map { Line(name: $0.offset.shown, value: $0.text) }))
        }
        if let curl = entry.curl { sections.append(Section(title: "cURL", text: Self.shortened(curl))) }
        return sections
    }

    private var overview: Section {
        var lines = [Line(name: "Endpoint", value: entry.endpoint), Line(name: "Service", value: entry.service), Line(name: "Outcome", value: summary)]
        if let failure = entry.failure { lines.append(Line(name: "Error", value: failure.text)) }
        if !entry.tags.isEmpty { lines.append(Line(name: "Tags", value: entry.tags.joined(separator: ", "))) }
        return Section(title: title, lines: lines.filter { !$0.value.isEmpty })
    }

    private func section(_ attempt: CallLog.Attempt) -> Section {
        let reason = attempt.reason.map { " · \($0)" } ?? ""
        var lines = [Line(name: attempt.request.method, value: attempt.request.url)]
        if let response = attempt.response { lines.append(Line(name: "\(response.status)", value: response.version ?? response.reasonPhrase)) }
        if let failure = attempt.failure { lines.append(Line(name: failure.code, value: failure.text)) }
        if let total = attempt.timings?.total { lines.append(Line(name: "Time", value: total.shown)) }
        lines += attempt.request.headers.map { Line(name: "→ \($0.name)", value: $0.value) }
        lines += (attempt.response?.headers ?? []).map { Line(name: "← \($0.name)", value: $0.value) }
        return Section(title: "Attempt \(attempt.number)\(reason)", lines: lines)
    }

    private static func text(of body: CallLog.Body) -> String {
        if let text = body.text { return shortened(text) }
        return [body.mediaType, body.size.map { "\($0) bytes" }].compactMap(\.self).joined(separator: ", ")
    }

    /// A view lays out the whole text at once.
    private static func shortened(_ text: String) -> String { text.count > longestText ? "\(text.prefix(longestText))…" : text }

    static let longestText = 16_384
}
