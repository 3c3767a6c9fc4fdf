/// What a transport can do beyond sending a request and returning a response.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A slow reader slows the sender down; memory stays flat.
    public static let backPressure = Self(rawValue: 1 << 0)
    /// Informational (1xx) responses are reported.
    public static let informationalResponses = Self(rawValue: 1 << 1)
    /// Trailer fields are delivered.
    public static let trailers = Self(rawValue: 1 << 2)
    /// Repeated header fields arrive separate and in order.
    public static let separateHeaders = Self(rawValue: 1 << 3)
    /// The transport decodes Content-Encoding itself and cannot be told not to. It takes the field off such a response, and says
    /// so with ``Response/isDecoded``.
    public static let decodesContent = Self(rawValue: 1 << 4)
    /// The response's protocol version is told.
    public static let protocolVersion = Self(rawValue: 1 << 5)
    /// A body whose length is not known can be sent.
    public static let unknownLengthBodies = Self(rawValue: 1 << 6)
    /// A stale pooled connection is noticed and the request sent again by the transport itself.
    public static let resendsOnStaleConnection = Self(rawValue: 1 << 7)
    /// The connection's state (new or reused) is reported.
    public static let connectionReports = Self(rawValue: 1 << 8)
    /// The order of request header fields is kept on the wire.
    public static let headerOrder = Self(rawValue: 1 << 9)
    /// A body with any method, GET and HEAD included.
    public static let bodyWithAnyMethod = Self(rawValue: 1 << 10)
    /// HTTP/2 by ALPN.
    public static let http2 = Self(rawValue: 1 << 11)
    /// Keeps a request off cellular, expensive and constrained networks: ``Exchange/networkAccess``.
    public static let networkAccess = Self(rawValue: 1 << 12)
    /// Goes on with a request when the process that made it has ended.
    package static let outlivesProcess = Self(rawValue: 1 << 13)
}
