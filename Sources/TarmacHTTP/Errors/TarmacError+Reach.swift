import HTTPTypes

extension TarmacError {
    /// The progress of the failed request, as far as the client can tell.
    public enum Reach: String, Sendable, CaseIterable {
        /// Nothing of the request was sent.
        case notSent
        /// The server has not acted on the request, whether or not it received it.
        case unprocessed
        /// The server may have acted on the request.
        case mayHaveActed
    }

    /// The progress of the last request of the call.
    ///
    /// A request that is not idempotent can be sent again without risk unless its reach is
    /// ``Reach/mayHaveActed``. The code, the phase and the status decide:
    ///
    /// - A connection that could not be made, a refusal of the client and a TLS failure are ``Reach/notSent``.
    /// - HTTP/2 REFUSED_STREAM and GOAWAY (RFC 9113 §8.7) and the statuses 401, 421 (RFC 9110 §15.5.2, §15.5.20)
    ///   and 425 (RFC 8470 §5.2) are ``Reach/unprocessed``. So are `loggedOut`, `refreshFailed` and
    ///   `tokenStoreFailed`: the request was not sent, or its credentials were refused.
    /// - Every other failure is ``Reach/mayHaveActed``.
    ///
    /// The value says nothing about earlier requests of the same call; see ``attempts``.
    public var reach: Reach {
        switch code.extent {
        case .unsent: phase.isPastConnecting ? .mayHaveActed : .notSent
        case .unsentWhileConnecting: phase == .connecting ? .notSent : .mayHaveActed
        case .unprocessed: .unprocessed
        case .sent: rejectedStatus.map { Self.unprocessedStatuses.contains($0) } == true ? .unprocessed : .mayHaveActed
        }
    }

    /// Whether the failure may pass by itself, so that the same call can succeed later.
    ///
    /// `true` for failures of the network, for time limits, for an open circuit, a rate limit and a failed
    /// refresh, and for the statuses 408, 421, 425, 429, 500, 502, 503 and 504. It does not tell whether a
    /// repeat is without risk; ``reach`` does.
    ///
    /// ```swift
    /// retryButton.isEnabled = error.isTransient
    /// ```
    public var isTransient: Bool { rejectedStatus.map { Self.transientStatuses.contains($0) } ?? code.isTransient }

    /// The statuses that may pass.
    package static let transientStatuses: Set<Int> = [408, 421, 425, 429, 500, 502, 503, 504]
    private static let unprocessedStatuses: Set<Int> = [401, 421, 425]

    /// The status that made the call fail.
    package var rejectedStatus: Int? { code == .unacceptableStatus ? status?.code : nil }
}

extension TarmacError.Code {
    /// Whether a failure with this code may pass, whatever its status.
    package var isTransient: Bool { outlook != .lasting }
    /// Whether a limit or a session of this client held the call back, and neither the network nor the server.
    package var isHeldBack: Bool { outlook == .held }
}

extension TarmacError.Phase {
    fileprivate var isPastConnecting: Bool {
        switch self {
        case .building, .intercepting, .redirecting, .authenticating, .queued, .connecting: false
        case .sending, .waiting, .receiving, .judging, .decoding, .delivering: true
        }
    }
}
