extension TarmacError {
    /// The phase of a call in which it failed.
    public enum Phase: String, Sendable, CaseIterable {
        /// Building the request.
        case building
        /// Running an interceptor of the app.
        case intercepting
        /// Deciding about a redirect.
        case redirecting
        /// Loading or refreshing credentials, or waiting for them.
        case authenticating
        /// Waiting for a dispatch slot.
        case queued
        /// Making a connection: name resolution, TCP, TLS, proxy.
        case connecting
        /// Sending the head or the body.
        case sending
        /// Waiting for the response head after the request was sent.
        case waiting
        /// Receiving the body.
        case receiving
        /// Checking the status, content type, envelope and shape.
        case judging
        /// Decoding the body into a value.
        case decoding
        /// Delivering the value to its owner.
        case delivering
    }
}
