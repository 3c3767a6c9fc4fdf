extension TarmacError {
    /// Returns an error as Tarmac throws it: as a `TarmacError` or a `CancellationError`, even if the app's own
    /// code threw another error.
    package static func publicError(_ error: any Error) -> any Error {
        error is TarmacError || error is CancellationError ? error : foreign(error)
    }

    /// Returns the `TarmacError` for an error that the app's own code threw.
    package static func foreign(_ error: any Error) -> TarmacError {
        TarmacError(.callerFailed, phase: .delivering, "the caller's own code threw \(type(of: error))", cause: error)
    }

    /// The error of a call whose client was shut down.
    package static var clientShutDown: TarmacError {
        TarmacError(.clientShutDown, "the client was shut down", suggestion: "keep a Client for as long as its calls fly")
    }
}
