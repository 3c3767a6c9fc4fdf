/// A limit of `URLSession` with its name and reason. `Documentation/Platforms.md` lists the same limits.
///
/// The conformance cases of TarmacTesting skip these limits by name, and nothing else.
package struct URLSessionExclusion: Sendable, Hashable {
    /// The behavior of `URLSession` at this limit.
    package enum Outcome: String, Sendable {
        /// A request that needs the feature throws `TarmacError(.unsupported)` with its name, before anything
        /// is sent.
        case refused
        /// The feature works in another way, which the reason describes.
        case differs
        /// The platform ends the process. Code above it cannot prevent that.
        case fatal
    }

    package let name: String
    package let outcome: Outcome
    package let reason: String

    private init(_ name: String, _ outcome: Outcome, _ reason: String) {
        self.name = name
        self.outcome = outcome
        self.reason = reason
    }

    /// The limits on every platform.
    package static let common: [URLSessionExclusion] = [
        Self("unixSocket", .refused, "URLSession connects by host name only"),
        Self("http1Only", .refused, "HTTP/2 is negotiated by ALPN and cannot be switched off"),
        Self("idleConnectionTimeout", .refused, "the pool decides; 60 s, the default, is taken to mean no wish"),
        Self("connectionSettings", .refused, "the pool decides on the number and life of connections; none is bound to an address; the platform finds hosts"),
        Self("clientIdentity", .refused, "there is no way in for a key in PEM form"),
        Self("rotation", .refused, "the certificates of a session are read once"),
        Self("bodyWithGetOrHead", .refused, "GET with a body is an error of the platform, that of HEAD is dropped"),
        Self("ownFields", .refused, "Host, Content-Length, Transfer-Encoding and Connection are set by the platform alone"),
        Self("methodCase", .refused, "GET, HEAD, POST, PUT, DELETE and CONNECT in other spellings would be sent in upper case"),
        Self("connect", .refused, "CONNECT is the platform's own"),
        Self("headerOrder", .differs, "request and response fields pass through a dictionary"),
        Self("separateHeaders", .differs, "repeated fields arrive joined; Set-Cookie is separated where RFC 6265 leaves no other reading"),
        Self("squareBrackets", .differs, "[ and ] in path and query are sent as %5B and %5D"),
        Self("contentCoding", .differs, "gzip, deflate, br (and zstd) are decoded; the two fields that told are dropped"),
        Self("trailers", .differs, "trailer fields are not delivered"),
        Self("protocolVersion", .differs, "the version spoken is not told"),
        Self("reasonPhrase", .differs, "the reason phrase is not told"),
        Self("connectTimeout", .refused, "when a connection is made is not told, so connecting counts into timeout"),
        Self("connectionReports", .differs, "whether a connection was made for a request or reused is not told"),
        Self("streamedUpload", .differs, "a body stream is spooled to its end before the request is sent, so no response comes before it"),
    ]

    /// The limits of Foundation on Linux (libcurl).
    package static let linux: [URLSessionExclusion] = [
        Self("customTrust", .refused, "certificates are verified against the system's roots; no challenge arrives"),
        Self("insecureTrust", .refused, "verification cannot be switched off"),
        Self("pins", .refused, "the server's certificates are not shown"),
        Self("insecurelySkipsHostName", .refused, "the check of the host's name cannot be switched off"),
        Self("expect", .differs, "a request with Expect has a connection of its own: after an early success, libcurl 7.88 would use it again without its body"),
        Self("explicitProxy", .refused, "the proxy comes from the environment variables only"),
        Self("noProxy", .refused, "a request the environment sends through a proxy is refused unless proxy is .environment"),
        Self("ipv6Addresses", .refused, "Foundation takes no URL whose host is an IPv6 address"),
        Self("backPressure", .differs, "suspend() does not stop the reading; a stream read slowly waits in a temporary file"),
        Self("resendReports", .differs, "a bodyless idempotent request is resent on a dead connection without a word"),
        Self("uncountedConnections", .differs, "a bodyless request that must not be sent twice has a connection that connectionsPerHost does not count"),
        Self("resendHead", .differs, "a head may go out again without its body; after an HTTP/2 refusal (libcurl before 8.7) without its first 64 KiB"),
        Self("queuedCancellation", .differs, "over https, a task cancelled while it waits for a connection is sent if its turn comes within the next few ms"),
        Self("redirectWithoutLocation", .differs, "the body of a 3xx without a usable Location is lost"),
        Self("redirectBodyLimit", .differs, "the body of a 3xx is buffered by the platform before the limit is seen"),
        Self("statusLineWithoutReason", .differs, "`HTTP/1.1 200` without the space after it is .malformedResponse"),
        Self("statusLineVersion", .differs, "a version that is no number, as in `HTTP/x 200 OK`, is not noticed"),
        Self("headerBytes", .differs, "a header that is not UTF-8, or ends its lines in LF alone, is .malformedResponse"),
        Self("fieldWithoutBlank", .differs, "a field without a space behind its colon is .malformedResponse"),
        Self("fieldSpelling", .differs, "of two Set-Cookie fields whose names differ in case, one arrives"),
        Self("dotSegments", .differs, "`/a/../b` is sent as `/b`"),
        Self("codingEnd", .differs, "a coded body that ends early, in a message that does not, is taken for whole unless nothing came out of it"),
        Self("transferCodings", .differs, "a transfer coding besides chunked is decoded; AsyncHTTPClient refuses it"),
        Self("codingMembers", .differs, "a second gzip member, or other bytes behind the first, is .undecodableContent"),
        Self("unaskedResponse", .differs, "a response that comes before its request on a kept connection, such as a late 408, answers the next request"),
        Self("headerSize", .differs, "a line above 100 KiB or a header above 300 KiB is .headersTooLarge"),
        Self("earlyChunkedResponse", .differs, "a 2xx of unknown length before the end of the request body arrives after it"),
        Self("http2EarlyResponse", .differs, "a response before the end of the request body hangs over HTTP/2 until a time limit (libcurl 7.88)"),
        Self("http2BodyEnd", .differs, "a body of unknown length that RST_STREAM(NO_ERROR) or, over TLS, a close without close_notify cuts is taken for whole"),
        Self("oneThread", .differs, "all sessions of the process share one thread; hooks called on it must be quick"),
        Self("chunkedTrailerFields", .fatal, "trailer fields, chunked or over HTTP/2, end the process (FoundationNetworking traps)"),
        Self("lengthNearMaximum", .fatal, "a Content-Length of 2^63-512 or more ends the process (FoundationNetworking traps)"),
        Self("connectionLostInHead", .fatal, "a connection closed within the response's header ends the process (FoundationNetworking traps)"),
    ]

    /// The limits of Apple's URLSession. They were never run: see Platforms.md.
    package static let apple: [URLSessionExclusion] = [
        Self("proxyFromEnvironment", .refused, "CFNetwork does not read the variables"),
        Self("informationalResponses", .differs, "1xx responses are not delivered"),
        Self("resendReports", .differs, "CFNetwork resends idempotent requests without a word"),
        Self("pinReports", .differs, "a report on pins reaches the call that made the connection, not those that reuse it"),
    ]

    /// The limits of the current platform.
    package static var here: [URLSessionExclusion] { common + Platform.exclusions }
}
