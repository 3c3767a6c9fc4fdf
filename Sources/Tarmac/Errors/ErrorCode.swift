extension TarmacError {
    /// What went wrong, as a stable word: fit for `switch`, metrics and tests. Its cases grow; keep a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The stable name, such as `timeout`.
        public let name: String
        /// The kind of failure the code belongs to.
        public let category: Category

        init(_ name: String, _ category: Category) {
            self.name = name
            self.category = category
        }

        public static func == (left: Code, right: Code) -> Bool { left.name == right.name }
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
        public var description: String { name }
    }

    /// A coarse kind of failure; the command line's exit codes follow it.
    public enum Category: String, Sendable, CaseIterable {
        /// Refused before anything was sent.
        case input
        /// No connection, or the connection broke.
        case connection
        /// The peer's identity or the handshake failed.
        case tls
        /// One of the time limits was reached.
        case timeout
        /// The peer broke the protocol, or a size limit.
        case message
        /// A redirect was not followed.
        case redirect
        /// The server answered, and the answer is a failure.
        case rejected
        /// The answer did not have the expected form.
        case decoding
        /// The client or the user's own code ended the call.
        case application
    }
}

extension TarmacError.Code {
    // Input: nothing was sent.
    public static let invalidURL = Self("invalidURL", .input)
    public static let invalidTemplate = Self("invalidTemplate", .input)
    public static let missingVariable = Self("missingVariable", .input)
    public static let invalidParameter = Self("invalidParameter", .input)
    public static let invalidHeader = Self("invalidHeader", .input)
    public static let invalidOption = Self("invalidOption", .input)
    /// The transport cannot do what an option or request asks for.
    public static let unsupported = Self("unsupported", .input)
    public static let unreadableFile = Self("unreadableFile", .input)
    /// A file could not be written.
    public static let unwritableFile = Self("unwritableFile", .application)
    /// The service has no host in the current environment.
    public static let missingHost = Self("missingHost", .input)
    /// A batch, chain or graph that cannot fly: a limit below one, a node of another graph, too many members.
    public static let invalidGroup = Self("invalidGroup", .input)
    /// Plain http to another machine, which nobody allowed: `allowsInsecureHTTP`.
    public static let insecureHTTP = Self("insecureHTTP", .input)
    /// The outbox holds as many entries as it may.
    public static let outboxFull = Self("outboxFull", .input)
    /// The outbox has no such entry any more, or it is being sent.
    public static let outboxEntryUnavailable = Self("outboxEntryUnavailable", .input)

    // Connection.
    public static let cannotFindHost = Self("cannotFindHost", .connection)
    public static let connectionRefused = Self("connectionRefused", .connection)
    public static let connectionFailed = Self("connectionFailed", .connection)
    /// The connection ended before the response was complete.
    public static let connectionLost = Self("connectionLost", .connection)
    /// The server says that it has not acted on the request, on its way down or under its load (HTTP/2 REFUSED_STREAM, GOAWAY):
    /// it may be sent again whatever its method.
    public static let requestUnprocessed = Self("requestUnprocessed", .connection)
    /// The host has failed too often lately and is left alone; ``CircuitOpen`` in `cause` says for how long. Nothing was sent.
    public static let circuitOpen = Self("circuitOpen", .connection)
    public static let proxyFailed = Self("proxyFailed", .connection)

    // TLS.
    /// Nobody who is trusted vouches for the server's certificate.
    public static let untrustedCertificate = Self("untrustedCertificate", .tls)
    /// The server's certificate vouches for itself, and is not trusted.
    public static let selfSignedCertificate = Self("selfSignedCertificate", .tls)
    public static let expiredCertificate = Self("expiredCertificate", .tls)
    public static let notYetValidCertificate = Self("notYetValidCertificate", .tls)
    /// The server's certificate is for another host.
    public static let hostnameMismatch = Self("hostnameMismatch", .tls)
    /// None of the host's pins is among the server's certificates; `cause` is a ``PinReport``.
    public static let pinMismatch = Self("pinMismatch", .tls)
    /// The server asks for a client certificate, and none was shown, or not one it takes.
    public static let clientCertificateRequired = Self("clientCertificateRequired", .tls)
    public static let tlsHandshakeFailed = Self("tlsHandshakeFailed", .tls)

    // Time.
    public static let connectTimeout = Self("connectTimeout", .timeout)
    public static let queueTimeout = Self("queueTimeout", .timeout)
    /// The service's rate limit lets the call go later than it may wait. Nothing was sent.
    public static let rateLimited = Self("rateLimited", .timeout)
    public static let timeout = Self("timeout", .timeout)
    public static let idleTimeout = Self("idleTimeout", .timeout)
    public static let deadlineExceeded = Self("deadlineExceeded", .timeout)

    // Message.
    public static let malformedResponse = Self("malformedResponse", .message)
    /// The body is shorter than its Content-Length, or its last chunk is missing.
    public static let truncatedBody = Self("truncatedBody", .message)
    public static let headersTooLarge = Self("headersTooLarge", .message)
    public static let bodyTooLarge = Self("bodyTooLarge", .message)
    public static let inflatedBodyTooLarge = Self("inflatedBodyTooLarge", .message)
    /// The compressed body is damaged, or its coding is unknown.
    public static let undecodableContent = Self("undecodableContent", .message)
    /// The request has to be sent again, and its body can be read only once.
    public static let bodyNotReplayable = Self("bodyNotReplayable", .message)

    // Sealed and signed messages: refused before anything of them is decoded.
    /// The response should have been encrypted and is not.
    public static let unencryptedResponse = Self("unencryptedResponse", .message)
    /// What was encrypted is damaged, was changed, or was sealed for something else.
    public static let decryptionFailed = Self("decryptionFailed", .message)
    /// A key was named that is not among those that were given.
    public static let unknownKey = Self("unknownKey", .message)
    public static let signatureMissing = Self("signatureMissing", .message)
    /// The signature does not fit the message, or does not cover what it has to.
    public static let signatureInvalid = Self("signatureInvalid", .message)
    /// The signature is too old, or from the future.
    public static let signatureExpired = Self("signatureExpired", .message)
    /// The same signed message was received before.
    public static let signatureReplayed = Self("signatureReplayed", .message)

    // Redirect.
    public static let tooManyRedirects = Self("tooManyRedirects", .redirect)
    public static let redirectLoop = Self("redirectLoop", .redirect)
    /// https → http, a scheme other than http(s), or a malformed Location.
    public static let redirectRefused = Self("redirectRefused", .redirect)

    // Rejected: the answer is complete and is a failure.
    public static let unacceptableStatus = Self("unacceptableStatus", .rejected)
    /// Nobody is logged in, the login has ended, or another has taken its place.
    public static let loggedOut = Self("loggedOut", .rejected)
    /// The token is no longer good, and no new one could be had this time; `cause` says why. The login lasts.
    public static let refreshFailed = Self("refreshFailed", .rejected)
    public static let unacceptableContentType = Self("unacceptableContentType", .decoding)
    public static let malformedJSON = Self("malformedJSON", .decoding)
    /// The payload does not have the `shape` that was set (YTK-15); `path` says where.
    public static let shapeMismatch = Self("shapeMismatch", .decoding)
    /// The envelope's success condition does not hold (QSP-29).
    public static let envelopeFailure = Self("envelopeFailure", .rejected)
    public static let decodingFailed = Self("decodingFailed", .decoding)
    /// A ``Reformer`` threw; `cause` is what it threw, and `path` says where in the answer if that told.
    public static let reformingFailed = Self("reformingFailed", .decoding)
    /// The text is not valid in the charset the server named, or the charset is unknown.
    public static let undecodableText = Self("undecodableText", .decoding)

    // Application.
    /// The call may only be answered from the cache, and cannot be: ``CacheRule/onlyCached``.
    public static let notCached = Self("notCached", .application)
    public static let clientShutDown = Self("clientShutDown", .application)
    /// An interceptor, transform or hook of the user threw; `cause` is what it threw.
    public static let interceptorFailed = Self("interceptorFailed", .application)
    /// The caller's own code inside a scope or owned work threw; `cause` is what it threw.
    public static let callerFailed = Self("callerFailed", .application)
    /// A node of a graph was not flown because one it needs failed; `cause` is what that failed with.
    public static let dependencyFailed = Self("dependencyFailed", .application)
    public static let landingHookFailed = Self("landingHookFailed", .application)
    /// A token could not be read from its store, or not written.
    public static let tokenStoreFailed = Self("tokenStoreFailed", .application)
    /// The file of a cookie jar could not be read or written.
    public static let cookieStoreFailed = Self("cookieStoreFailed", .application)
    /// A store on disk, such as an outbox or a cache, could not be opened, read or written.
    public static let storeFailed = Self("storeFailed", .application)
    /// A transport failed in a way it has no code for.
    public static let transportFailed = Self("transportFailed", .connection)
}
