#if Tools
import HTTPTypes
import Tarmac

/// The kinds of calls of the storm.
enum StormKind: String, CaseIterable {
    case read, keyed, bare, download, upload, events, batch, token, cached, cancel, deadline, outbox

    /// Whether a fault of the wire or of the server can end such a call so.
    func explains(_ error: TarmacError) -> Bool {
        if let status = error.status?.code, status == 503 { return true }
        switch error.code.category {
        case .connection, .timeout, .message: return true
        // The certificate is always trusted; only a handshake may break.
        case .tls: return error.code == .tlsHandshakeFailed
        default:
            // A refresh whose answer is lost may end after its last attempt.
            return self == .token && (error.code == .loggedOut || error.code == .refreshFailed)
        }
    }

    /// The longest time a call may take, in seconds.
    var limit: Int {
        switch self {
        case .download, .upload: 120
        default: 40
        }
    }
}
#endif
