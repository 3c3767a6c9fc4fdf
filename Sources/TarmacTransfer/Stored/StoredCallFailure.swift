package import TarmacCore

/// The meaning of a failure for a call that is stored, and that can be sent again under one key (pure).
package enum StoredCallFailure {
    /// Whether a failure that ends a call is temporary for a stored one, which can wait for a login, a store, a ledger, a
    /// certificate or a setting.
    package static func waits(after failure: TarmacError) -> Bool { failure.code.category == .tls || waiting.contains(failure.code) }

    /// The number of conflicts after which one is no longer with an earlier attempt: no server takes so long.
    package static let mostConflicts = 10

    private static let waiting: Set<TarmacError.Code> = [.loggedOut, .principalLeft, .tokenStoreFailed, .storeFailed, .missingHost, .insecureHTTP]

    /// Whether the server's answer did not arrive as it was sent, or a gateway such as a captive portal has answered:
    /// the server may have acted or not. The key makes another attempt safe, and giving up could be a loss.
    package static func isOutcomeUnknown(_ failure: TarmacError) -> Bool {
        if failure.rejectedStatus != nil { return isOfAnother(failure) }
        if refusing.contains(failure.code) { return false }
        switch failure.code.category {
        case .decoding, .redirect: return true
        // A body that could not be read for sending is no answer.
        case .message: return answering.contains(failure.phase)
        default: return false
        }
    }

    /// Whether a gateway such as a captive portal has answered in place of the server.
    package static func isOfAnother(_ failure: TarmacError) -> Bool {
        guard let status = failure.rejectedStatus else { return failure.code.category == .redirect || failure.code == .unacceptableContentType }
        return (300..<400).contains(status) || foreignStatuses.contains(status)
            || portalStatuses.contains(status) && failure.response.map { PortalPage.isPage($0.headers, $0.body) } == true
    }

    /// A proxy or a portal wants its own login (RFC 9110 §15.5.8, RFC 6585 §6).
    private static let foreignStatuses: Set<Int> = [407, 511]
    /// The statuses under which a portal or a company's filter shows a page. An API answers them in its own format.
    private static let portalStatuses: Set<Int> = [400, 401, 403, 404, 451]
    /// The phases of an answer.
    package static let answering: Set<TarmacError.Phase> = [.waiting, .receiving, .judging, .decoding]
    /// Answers that are understood, and refuse the request. The first is that of TarmacResumableUpload, which is above this module.
    package static let refusing: Set<TarmacError.Code> = [
        TarmacError.Code("uploadProtocolFailed", .message, .sent, .lasting), .unknownKey, .bodyNotReplayable,
    ]
}
