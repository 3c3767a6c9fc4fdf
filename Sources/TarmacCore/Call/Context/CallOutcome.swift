import HTTPTypes

/// The outcome of a call, as hooks see it. Its description never contains the value, which may hold secrets.
public enum CallOutcome: Sendable {
    /// The call landed, with its value and its response. The response is `nil` for a group of several calls.
    case landed(value: any Sendable, response: Response?)
    /// The call failed.
    case failed(TarmacError)
    /// The call was cancelled, or its owner is gone.
    case cancelled

    /// Returns the value if the call landed and its value has this type.
    public func value<Value>(as type: Value.Type = Value.self) -> Value? {
        if case .landed(let value, _) = self { value as? Value } else { nil }
    }

    /// The error, if the call failed.
    public var error: TarmacError? { if case .failed(let error) = self { error } else { nil } }
}

extension CallOutcome {
    /// Creates the outcome for an error that leaves the client.
    package init(_ error: any Error) {
        self = error is CancellationError ? .cancelled : .failed(error as? TarmacError ?? TarmacError.foreign(error))
    }
}

extension CallOutcome: MaskedReflectable {
    public var description: String {
        switch self {
        case .landed(let value, let response): "landed as \(type(of: value))" + (response.map { " with \($0.status.code)" } ?? "")
        case .failed(let error): "failed: \(error)"
        case .cancelled: "cancelled"
        }
    }
}
