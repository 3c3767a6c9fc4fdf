extension TarmacError {
    /// How far the call had come.
    public enum Phase: String, Sendable, CaseIterable {
        /// The request was being built.
        case building
        /// A user's per-call or per-attempt interceptor was running.
        case intercepting
        /// A redirect was being judged.
        case redirecting
        /// Getting or renewing credentials, or waiting for them.
        case authenticating
        /// Waiting for a dispatch slot.
        case queued
        /// Looking for a connection: name, TCP, TLS, proxy.
        case connecting
        /// Sending head or body.
        case sending
        /// Everything is sent, no response head yet.
        case waiting
        /// Receiving the body.
        case receiving
        /// Status, content type, envelope and shape were being judged.
        case judging
        /// The body was being turned into a value.
        case decoding
        /// The value was on its way to its owner.
        case delivering
    }
}
