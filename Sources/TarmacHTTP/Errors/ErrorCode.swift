extension TarmacError {
    /// A stable name for the cause of a failure. Use it in a `switch`, in metrics and in tests.
    ///
    /// A later version can add codes. Keep a `default` case.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name, such as `timeout`.
        public let name: String
        /// The category of the failure.
        public let category: Category
        let extent: Extent
        let outlook: Outlook
        let message: UserMessages.Exception?

        /// Makes a code. Each code states its class.
        ///
        /// - Parameter message: the message for the user if the category's does not fit. Default: `nil`, the category's.
        package init(_ name: String, _ category: Category, _ extent: Extent, _ outlook: Outlook, message: UserMessages.Exception? = nil) {
            self.name = name
            self.category = category
            self.extent = extent
            self.outlook = outlook
            self.message = message
        }

        public static func == (left: Code, right: Code) -> Bool { left.name == right.name }
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
        public var description: String { name }
    }

    /// A coarse category of failures. The exit codes of the command line follow it.
    public enum Category: String, Sendable, CaseIterable {
        /// Tarmac refused the call before it sent anything.
        case input
        /// There was no connection, or the connection broke.
        case connection
        /// The identity of the server or the TLS handshake failed.
        case tls
        /// The call reached a time limit.
        case timeout
        /// The message broke the protocol or a size limit.
        case message
        /// A redirect was not followed.
        case redirect
        /// The server answered with a failure.
        case rejected
        /// The response did not have the expected form.
        case decoding
        /// The client or the app's own code ended the call.
        case application
    }
}

extension TarmacError.Code {
    /// The progress that a request can have made when it fails with a code. ``TarmacError/reach`` refines it with
    /// phase and status.
    package enum Extent: Sendable {
        /// Nothing was sent, unless the phase shows otherwise.
        case unsent
        /// Nothing was sent if the call was still connecting.
        case unsentWhileConnecting
        /// The server has not acted on the request.
        case unprocessed
        /// The server may have acted on the request.
        case sent
    }

    /// Whether a failure with a code may pass.
    package enum Outlook: Sendable {
        /// A repeat fails again.
        case lasting
        /// The network or the server caused it, and it may pass.
        case passing
        /// A limit or a session of this client held the call back, and it may pass.
        case held
    }
}

extension TarmacError.Code {
    // MARK: Input

    /// The URL or the URI template is not valid.
    public static let invalidURL = Self("invalidURL", .input, .unsent, .lasting)
    /// A parameter or header field cannot be sent, or a variable of the URI template has no value.
    public static let invalidParameter = Self("invalidParameter", .input, .unsent, .lasting)
    /// An option has an invalid value.
    public static let invalidOption = Self("invalidOption", .input, .unsent, .lasting)
    /// The transport does not support an option or a request.
    public static let unsupported = Self("unsupported", .input, .unsent, .lasting)
    /// A file could not be read.
    public static let unreadableFile = Self("unreadableFile", .input, .unsent, .lasting)
    /// The service has no host in the current environment.
    public static let missingHost = Self("missingHost", .input, .unsent, .lasting)
    /// The URL is plain HTTP to another machine, and `allowsInsecureHTTP` does not allow it.
    public static let insecureHTTP = Self("insecureHTTP", .input, .unsent, .lasting)

    // MARK: Connection

    /// The host name could not be resolved.
    public static let cannotFindHost = Self("cannotFindHost", .connection, .unsent, .passing)
    /// The host refused the connection.
    public static let connectionRefused = Self("connectionRefused", .connection, .unsent, .passing)
    /// The connection could not be made.
    public static let connectionFailed = Self("connectionFailed", .connection, .unsentWhileConnecting, .passing)
    /// The connection ended before the response was complete.
    public static let connectionLost = Self("connectionLost", .connection, .sent, .passing)
    /// The server states that it has not acted on the request (HTTP/2 REFUSED_STREAM, GOAWAY).
    ///
    /// A request with any method can be sent again.
    public static let requestUnprocessed = Self("requestUnprocessed", .connection, .unprocessed, .passing)
    /// The proxy could not be reached, or it refused the connection.
    public static let proxyFailed = Self("proxyFailed", .connection, .unsentWhileConnecting, .passing)
    /// The transport failed in a way that has no code.
    public static let transportFailed = Self("transportFailed", .connection, .sent, .passing)

    // MARK: TLS

    /// No trusted authority vouches for the server's certificate.
    public static let untrustedCertificate = Self("untrustedCertificate", .tls, .unsent, .lasting)
    /// The server's certificate is self-signed and not trusted.
    public static let selfSignedCertificate = Self("selfSignedCertificate", .tls, .unsent, .lasting)
    /// The server's certificate has expired.
    public static let expiredCertificate = Self("expiredCertificate", .tls, .unsent, .lasting)
    /// The server's certificate is not valid yet.
    public static let notYetValidCertificate = Self("notYetValidCertificate", .tls, .unsent, .lasting)
    /// The server's certificate is for another host.
    public static let hostnameMismatch = Self("hostnameMismatch", .tls, .unsent, .lasting)
    /// The server's certificates match no pin of the host. The cause is a ``PinReport``.
    public static let pinMismatch = Self("pinMismatch", .tls, .unsent, .lasting)
    /// The server asks for a client certificate, and the client has none or one that the server refuses.
    public static let clientCertificateRequired = Self("clientCertificateRequired", .tls, .unsent, .lasting)
    /// The certificate of `clientIdentity` has expired or is not valid yet.
    public static let expiredClientIdentity = Self("expiredClientIdentity", .tls, .unsent, .lasting)
    /// The password of `clientIdentity` is not that of the archive.
    public static let wrongIdentityPassword = Self("wrongIdentityPassword", .tls, .unsent, .lasting)
    /// The TLS handshake failed.
    public static let tlsHandshakeFailed = Self("tlsHandshakeFailed", .tls, .unsent, .lasting)

    // MARK: Time

    /// There was no connection within ``Options/connectTimeout``.
    public static let connectTimeout = Self("connectTimeout", .timeout, .unsent, .passing)
    /// No dispatch slot became free within ``Options/queueTimeout``. The request was not sent.
    public static let queueTimeout = Self("queueTimeout", .timeout, .unsent, .held)
    /// The attempt did not end within ``Options/timeout``.
    public static let timeout = Self("timeout", .timeout, .sent, .passing)
    /// No byte moved for ``Options/idleTimeout``.
    public static let idleTimeout = Self("idleTimeout", .timeout, .sent, .passing)
    /// The call did not end within its ``Options/deadline``.
    public static let deadlineExceeded = Self("deadlineExceeded", .timeout, .sent, .held)

    // MARK: Message

    /// The response is not valid HTTP.
    public static let malformedResponse = Self("malformedResponse", .message, .sent, .passing)
    /// The body is shorter than its Content-Length, or its last chunk is missing.
    public static let truncatedBody = Self("truncatedBody", .message, .sent, .passing)
    /// The response head is larger than the limit.
    public static let headersTooLarge = Self("headersTooLarge", .message, .sent, .lasting)
    /// The response body is larger than the limit, as received or decompressed.
    public static let bodyTooLarge = Self("bodyTooLarge", .message, .sent, .lasting)
    /// The compressed body is damaged, or its coding is unknown.
    public static let undecodableContent = Self("undecodableContent", .message, .sent, .lasting)
    /// The request has to be sent again, and its body can be read only once.
    public static let bodyNotReplayable = Self("bodyNotReplayable", .message, .sent, .lasting)

    // MARK: Encrypted and signed messages
    // Refused before any part of the message is decoded.

    /// The encrypted content is damaged, was changed, or was sealed for another purpose.
    public static let decryptionFailed = Self("decryptionFailed", .message, .sent, .lasting)
    /// The message names a key that the client does not have.
    public static let unknownKey = Self("unknownKey", .message, .sent, .lasting)

    // MARK: Redirect

    /// A redirect leads from HTTPS to HTTP, to another scheme or back to a visited URL, its Location is malformed, or
    /// there were more than the rule allows.
    public static let redirectRefused = Self("redirectRefused", .redirect, .sent, .lasting)

    // MARK: Rejected
    // The response is complete and is a failure.

    /// The status is not among ``Options/acceptableStatus``. The status decides whether the failure may pass.
    public static let unacceptableStatus = Self("unacceptableStatus", .rejected, .sent, .lasting)
    /// No user is logged in, the login has ended, or another login has replaced it.
    public static let loggedOut = Self("loggedOut", .rejected, .unprocessed, .lasting, message: .status(401))
    /// The token has expired, and no new token could be obtained. The login lasts. The cause states the reason.
    public static let refreshFailed = Self("refreshFailed", .rejected, .unprocessed, .held)
    /// The success condition of the envelope does not hold.
    public static let envelopeFailure = Self("envelopeFailure", .rejected, .sent, .lasting)

    // MARK: Decoding

    /// The content type is not acceptable.
    public static let unacceptableContentType = Self("unacceptableContentType", .decoding, .sent, .lasting)
    /// The body is not valid JSON.
    public static let malformedJSON = Self("malformedJSON", .decoding, .sent, .lasting)
    /// The payload does not have the required `shape`. ``TarmacError/path`` names the place.
    public static let shapeMismatch = Self("shapeMismatch", .decoding, .sent, .lasting)
    /// The payload could not be decoded into the value, or its text is not valid in the charset.
    public static let decodingFailed = Self("decodingFailed", .decoding, .sent, .lasting)

    // MARK: Application

    /// The client was shut down.
    public static let clientShutDown = Self("clientShutDown", .application, .sent, .lasting)
    /// The app's own code threw an error: an interceptor, transform or hook, or code inside a scope or owned work. The cause
    /// is that error.
    public static let callerFailed = Self("callerFailed", .application, .sent, .lasting)
    /// A token could not be read from its store or written to it.
    public static let tokenStoreFailed = Self("tokenStoreFailed", .application, .unprocessed, .lasting)
    /// A store on disk, such as an outbox or a cache, could not be opened, read or written.
    public static let storeFailed = Self("storeFailed", .application, .sent, .lasting)
    /// A file could not be written.
    public static let unwritableFile = Self("unwritableFile", .application, .sent, .lasting)
}
