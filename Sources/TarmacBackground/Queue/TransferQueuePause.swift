import TarmacCore
import TarmacSupport
import TarmacTransfer

/// The pause of a transfer after its failures in this process, and the events that end it early (pure).
struct TransferQueuePause {
    /// The events that end pauses.
    struct Ends: OptionSet {
        let rawValue: Int
        static let ofNetwork = Self(rawValue: 1)
        /// A login, another principal or another environment.
        static let ofLogin = Self(rawValue: 2)
    }

    /// The number of failures in a row.
    private(set) var failures = 0
    /// The number of conflicts among them.
    private(set) var conflicts = 0
    var notBefore: Moment?
    /// Whether the server asked for the pause, which no event ends.
    var isAsked = false
    private var waitsForLogin = false
    /// The number of pauses in a row that a login has ended after a request. An app may log in again by itself after each refusal.
    private var turns = 0
    private static let mostTurns = 3

    /// Counts a failure.
    mutating func count(_ failure: TarmacError) {
        failures = failures.addingClamped(1)
        if failure.rejectedStatus == 409 { conflicts = conflicts.addingClamped(1) }
        let isRefused = Self.waiting.contains(failure.code), isUnsent = Self.unsent.contains(failure.code)
        waitsForLogin = isRefused || isUnsent
        // Nothing was sent on behalf of the last login.
        if isUnsent { turns = 0 }
    }

    /// Ends the pause if one of the events is of its kind.
    mutating func end(_ events: Ends) {
        if isAsked || notBefore == nil { return }
        if events.contains(.ofNetwork) {
            (notBefore, failures) = (nil, 0)
        } else if waitsForLogin, turns < Self.mostTurns {
            (notBefore, turns) = (nil, turns + 1)
        }
    }

    /// Notes that an attempt begins.
    mutating func begin() {
        // Its pause was over by itself.
        if notBefore != nil { turns = 0 }
        notBefore = nil
    }

    private static let waiting: Set<TarmacError.Code> = [.loggedOut, .refreshFailed, .tokenStoreFailed]
    private static let unsent: Set<TarmacError.Code> = [.otherLogin, .principalLeft, .environmentLeft]
}
