#if Telemetry
import HTTPTypes
import Logging
import TarmacCore
import TarmacSupport

/// The line of a log for an event (pure). Most events have none.
struct LogLine {
    let level: Logger.Level
    let text: String
    let metadata: Logger.Metadata

    init?(_ event: CallEvent) {
        guard let (level, text, more) = Self.parts(event.kind) else { return nil }
        self.level = level
        self.text = text
        var metadata: Logger.Metadata = [
            "tarmac.call": "\(event.call)", "tarmac.endpoint": "\(event.endpoint)", "tarmac.service": "\(event.service)",
            "tarmac.attempts": "\(event.attempt)",
        ]
        for (name, value) in more { metadata[name] = "\(value)" }
        self.metadata = metadata
    }

    private typealias Parts = (Logger.Level, String, [(String, String)])

    private static func parts(_ kind: CallEvent.Kind) -> Parts? {
        switch kind {
        case .landed(let status, let duration):
            (.debug, "call landed", [("http.response.status_code", "\(status.code)"), ("tarmac.duration", duration.shown)])
        case .cancelled(let duration): (.debug, "call cancelled", [("tarmac.duration", duration.shown)])
        case .failed(let error, let duration): (.error, "call failed", told(error) + [("tarmac.duration", duration.shown)])
        case .slow(let limit): (.warning, "call is slow", [("tarmac.duration", limit.shown)])
        case .warning(let text): (.warning, text, [])
        case .pinMismatch(let report): (.warning, "pins do not match", [("error.message", "\(report)")])
        case .stage(let event as any NotedEvent):
            event.warning.map { warning in (.warning, warning.text, (warning.error.map(told) ?? []) + warning.attributes) }
        default: nil
        }
    }

    private static func told(_ error: TarmacError) -> [(String, String)] {
        var told = [("error.type", error.code.name), ("error.message", error.reason)]
        if let status = error.status { told.append(("http.response.status_code", "\(status.code)")) }
        return told
    }
}
#endif
