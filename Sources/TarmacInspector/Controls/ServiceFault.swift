#if Inspector
import HTTPTypes
import TarmacCore
import TarmacCallLog

/// The fault of every request of a service.
enum ServiceFault: Sendable, Hashable {
    /// It is sent later.
    case delay(milliseconds: Int)
    /// It is not sent, and gets a response with this status and no body.
    case status(Int)
    /// It is not sent, and fails as without a network.
    case offline

    /// Reads the text that the page sends: `delay:2000`, `status:503` or `offline`.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts[0], parts.count == 2 ? Int(parts[1]) : nil) {
        case ("delay", let milliseconds?) where 1...Self.longestDelay ~= milliseconds: self = .delay(milliseconds: milliseconds)
        case ("status", let code?) where 400...599 ~= code: self = .status(code)
        case ("offline", nil) where parts.count == 1: self = .offline
        default: return nil
        }
    }

    var text: String {
        switch self {
        case .delay(let milliseconds): "delay:\(milliseconds)"
        case .status(let code): "status:\(code)"
        case .offline: "offline"
        }
    }

    // MARK: The mark

    // A call in the log shows by these that no server has answered so.
    static let answerPhrase = "answer of the inspector"
    private static let phrase = "fault of the inspector", offlineReason = "the inspector holds the service"

    static func response(_ code: Int, to request: TarmacCore.Request) -> TarmacCore.Response {
        Response(status: .init(code: code, reasonPhrase: phrase), url: request.url)
    }

    static func offlineError(_ service: String) -> TarmacError {
        TarmacError(
            .connectionFailed, phase: .connecting, "\(offlineReason) \(service) offline",
            suggestion: "choose no fault for it on the page of the inspector")
    }

    /// Whether a fault or an answer of the page is the outcome of a call, and not a server.
    static func isCause(of entry: CallLog.Entry) -> Bool {
        [phrase, answerPhrase].contains(entry.response?.reasonPhrase) || entry.response == nil && entry.failure?.text.contains(offlineReason) == true
    }

    /// In milliseconds.
    private static let longestDelay = 60_000
}
#endif
