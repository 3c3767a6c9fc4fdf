import HTTPTypes
import TarmacCore

/// The consequence of a failed refresh.
public enum RefreshConsequence: Sendable, Hashable {
    /// The server refuses the refresh token permanently; the login has ended.
    case logOut
    /// The server is asked again with the same refresh token, within the rule's limits. The login continues.
    case retry
    /// The refresh has failed and the login continues. The next call that needs a token tries again; after several
    /// failures in a row, calls fail during a pause (``RefreshRule/backOff``).
    case fail

    /// Returns the consequence by the status and the code of an error.
    ///
    /// The statuses 400, 401 and 403 end the login, but not with a page or a text for people, as a proxy, a firewall or a
    /// captive portal sends it: a service refuses with JSON, another format of data, or no body. The refresh is repeated
    /// after 429 and 5xx, if the server was not reached, and if its response was
    /// lost. In the last case the server may have used the refresh token; servers that rotate refresh tokens accept the
    /// previous one for a while for this reason. Any other error fails, which the session takes for the end of the login
    /// if the error has a code of `Envelope/expired`.
    public static func standard(for error: any Error) -> RefreshConsequence {
        guard let error = error as? TarmacError else { return .fail }
        // One with a call is of another login, which the refresh asked.
        if error.code == .loggedOut { return error.context == nil ? .logOut : .fail }
        if error.code == .requestUnprocessed { return .retry }
        if let response = error.response {
            let consequence = standard(forStatus: response.status.code)
            return consequence == .logOut && response.isForPeople ? .fail : consequence
        }
        switch error.code.category {
        case .connection, .timeout, .message: return .retry
        default: return .fail
        }
    }

    // A token endpoint answers by statuses of its own (RFC 6749 §5.2), so they go before `reach`.
    static func standard(forStatus status: Int) -> RefreshConsequence {
        switch status {
        case 400, 401, 403: .logOut
        case 429, 500...599: .retry
        default: .fail
        }
    }
}

extension ResponseSnapshot {
    /// Whether the body is a page or a text for people. Some servers send JSON with the media type of a page.
    fileprivate var isForPeople: Bool {
        let start = body.array.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        if let start, start == UInt8(ascii: "{") || start == UInt8(ascii: "[") { return false }
        let type = MediaType(headers[.contentType])
        switch type?.essence {
        case "text/html", "application/xhtml+xml": return true
        case nil, "text/plain": return start != nil
        // A page under a wrong name.
        default: return type?.isJSON == true && start == UInt8(ascii: "<")
        }
    }
}
