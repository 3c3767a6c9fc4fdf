package import TarmacCore

/// The failures that stages of several rooms treat alike.
extension TarmacError {
    /// Whether there was no connection, or the connection broke.
    package var isConnectionFailure: Bool { code.category == .connection || code == .connectTimeout }

    /// Whether the call has used up the time that its caller allowed. No stage repeats any part of such a call.
    package var isOutOfTime: Bool { code == .deadlineExceeded || code == .queueTimeout }
}
