import HTTPTypes
public import TarmacCore
package import TarmacSupport

/// An event of the stages that repeat, move or share requests.
public enum ResilienceEvent: StageEvent {
    /// The request is sent again after a pause, because the failure may pass (``RetryRule``).
    case retrying(after: Duration, because: TarmacError)
    /// The call ends with a failure that may pass, because the retry rule refuses a repeat for the given
    /// reason: `attemptsUsedUp`, `notIdempotent`, `notReplayable`, `budgetSpent`, `pastDeadline` or `retryAfterTooLong`.
    case retryRefused(String, because: TarmacError)
    /// The chosen host cannot be reached, and the call uses another host: the URL with secrets masked, and
    /// the failure.
    case failedOver(to: String, because: TarmacError)
    /// The chosen host could not be reached recently, and the call uses another host at once: the URL with
    /// secrets masked.
    case hostSkipped(for: String)
    /// The call shares the request of an identical call (option `coalesces`). The value is the number of that
    /// call. Events of the shared request carry the number of the call that has waited longest.
    case coalesced(with: UInt64)
    /// The call waits for a network after the given failure (``Options/waitsForConnectivity``).
    case waitingForConnectivity(because: TarmacError)

    public func masked(_ mask: (TarmacError) -> TarmacError) -> ResilienceEvent {
        // No default: a new event with an error must be masked too.
        switch self {
        case .retrying(let pause, let error): .retrying(after: pause, because: mask(error))
        case .retryRefused(let reason, let error): .retryRefused(reason, because: mask(error))
        case .failedOver(let to, let error): .failedOver(to: to, because: mask(error))
        case .waitingForConnectivity(let error): .waitingForConnectivity(because: mask(error))
        case .hostSkipped, .coalesced: self
        }
    }
}

extension ResilienceEvent: NotedEvent {
    package var line: EventLine {
        switch self {
        case .retrying(let pause, let error):
            .init("again in \(pause.shown): \(error.code)\(error.status.map { " \($0.code)" } ?? "")", .request)
        case .retryRefused(let reason, let error): .init("not again, \(reason): \(error.code)", .request)
        case .failedOver(let to, let error): .init("\(error.code) → \(to)", .request)
        case .hostSkipped(let to): .init("passes over a host that was down → \(to)", .request)
        case .coalesced(let call): .init("shares the flight of #\(call)", .request)
        case .waitingForConnectivity(let error): .init("waits for a network: \(error.code)", .request)
        }
    }

    package var topic: String {
        switch self {
        case .retrying, .retryRefused: "retry"
        case .failedOver, .hostSkipped: "host"
        case .coalesced: "coalesced"
        case .waitingForConnectivity: "connectivity"
        }
    }

    package var reasonOfNext: String? {
        switch self {
        case .retrying(_, let error): "retry: \(error.status.map { "\($0.code)" } ?? error.code.name)"
        case .failedOver(_, let error): "other host: \(error.code.name)"
        case .hostSkipped: "other host"
        default: nil
        }
    }

    package var warning: EventWarning? {
        switch self {
        case .retrying(let pause, let error): .init("call is repeated", error, [("tarmac.pause", pause.shown)])
        case .failedOver(let host, let error): .init("call goes to another host", error, [("url.full", host)])
        default: nil
        }
    }
}
