import TarmacCore

/// The failures of a request body, which are the same over each transport.
package enum BodyFailure {
    /// Returns the error to throw if the body of a request cannot be read. The stream is the app's own.
    package static func error(for error: any Error) -> any Error {
        if error is TarmacError || error is CancellationError { return error }
        return TarmacError(.callerFailed, phase: .sending, "the stream of the request body threw \(type(of: error))", cause: error)
    }
}
