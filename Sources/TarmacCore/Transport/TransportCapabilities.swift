@_spi(TarmacRooms) import TarmacHTTP

/// The capabilities of a transport in addition to sending a request and returning a response.
public struct TransportCapabilities: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A slow reader slows the sender down, so memory use is bounded.
    public static let backPressure = Self(rawValue: 1 << 0)
    /// The transport reports informational (1xx) responses.
    public static let informationalResponses = Self(rawValue: 1 << 1)
    /// The transport delivers trailer fields.
    public static let trailers = Self(rawValue: 1 << 2)
    /// Repeated header fields arrive separately and in order.
    public static let separateHeaders = Self(rawValue: 1 << 3)
    /// The transport always decodes Content-Encoding itself. It removes the field from such a response and sets
    /// `Response.isDecoded`.
    public static let decodesContent = Self(rawValue: 1 << 4)
    /// The transport reports the protocol version of the response.
    public static let protocolVersion = Self(rawValue: 1 << 5)
    /// The transport can send a body of unknown length.
    public static let unknownLengthBodies = Self(rawValue: 1 << 6)
    /// The transport detects a stale pooled connection and sends the request again by itself.
    public static let resendsOnStaleConnection = Self(rawValue: 1 << 7)
    /// The transport reports whether a connection is new or reused.
    public static let connectionReports = Self(rawValue: 1 << 8)
    /// The transport keeps the order of the request header fields.
    public static let headerOrder = Self(rawValue: 1 << 9)
    /// The transport can send a body with any method, including GET and HEAD.
    public static let bodyWithAnyMethod = Self(rawValue: 1 << 10)
    /// The transport supports HTTP/2 by ALPN.
    public static let http2 = Self(rawValue: 1 << 11)
    /// The transport honors ``Exchange/networkAccess``: it can refuse cellular, expensive and constrained networks.
    public static let networkAccess = Self(rawValue: 1 << 12)
    /// The transport continues a request after the process that made it has ended.
    package static let outlivesProcess = Self(rawValue: 1 << 13)
}
