public import TarmacCore

/// A request as received.
public struct RecordedRequest: Sendable {
    /// The number of its connection, from 0.
    public let connection: Int
    /// Whether it was the first request on its connection.
    public internal(set) var isFirstOfConnection = true
    public let method: String
    /// The request target as written.
    public let target: String
    /// The HTTP version, such as `HTTP/1.1`.
    public let version: String
    /// The header fields in order, with names as written.
    public let headers: [(name: String, value: String)]
    /// The first MiB of the body, without chunk framing.
    public internal(set) var body: Bytes = .empty
    /// The length of the body in bytes.
    public internal(set) var bodyLength = 0
    /// The sizes of the body's chunks; empty unless it has chunked coding.
    public internal(set) var chunks: [Int] = []
    /// Whether the body was read to its end.
    public internal(set) var isComplete = false

    /// Returns the values of a field, in order.
    public func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The target without its query.
    public var path: String { String(target.prefix { $0 != "?" }) }
}

/// The log of a ``ScriptedServer``.
public struct ServerLog: Sendable {
    /// A connection.
    public struct Connection: Sendable {
        /// The end of a connection.
        public enum End: String, Sendable {
            /// The peer closed it.
            case peerClosed
            /// The peer reset it, or it failed.
            case peerReset
            /// The script closed it.
            case closed
            /// The data of the peer is not HTTP/1.1.
            case malformed
            /// The server was stopped.
            case stopped
        }

        /// The end; `nil` while the connection is open.
        public internal(set) var end: End?
        public internal(set) var bytesRead = 0
        public internal(set) var bytesWritten = 0
        /// The number of request heads on the connection.
        public internal(set) var requests = 0
        /// Whether a write has waited long for a peer that does not read.
        public internal(set) var isWriteStalled = false
        /// The gate where the connection waits.
        public internal(set) var gate: String?

        /// Whether the peer ended the connection.
        public var isEndedByPeer: Bool { end == .peerClosed || end == .peerReset }
    }

    /// The connections, in order of arrival.
    public internal(set) var connections: [Connection] = []
    /// The requests with a complete head, in order of arrival.
    public internal(set) var requests: [RecordedRequest] = []
    /// Whether new connections are accepted.
    public internal(set) var isListening = true
}
