public import TarmacCore

/// A request as it came over the wire.
public struct RecordedRequest: Sendable {
    /// The number of the connection it came on, from 0.
    public let connection: Int
    /// Whether it was the first on its connection.
    public internal(set) var isFirstOfConnection = true
    public let method: String
    /// The request target as written.
    public let target: String
    /// Such as `HTTP/1.1`.
    public let version: String
    /// The header fields in order, names as written.
    public let headers: [(name: String, value: String)]
    /// The first MiB of the body, without chunk framing.
    public internal(set) var body: Bytes = .empty
    /// How many bytes the body had.
    public internal(set) var bodyLength = 0
    /// The sizes of its chunks; empty unless it came in chunked coding.
    public internal(set) var chunks: [Int] = []
    /// Whether the body was read to its end.
    public internal(set) var isComplete = false

    /// The values of a field, in order.
    public func values(_ name: String) -> [String] {
        headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    /// The target up to its question mark.
    public var path: String { String(target.prefix { $0 != "?" }) }
}

/// What a ``ScriptedServer`` has seen so far.
public struct ServerLog: Sendable {
    /// One connection.
    public struct Connection: Sendable {
        /// How it came to its end.
        public enum End: String, Sendable {
            /// The peer closed it.
            case peerClosed
            /// The peer reset it, or it failed.
            case peerReset
            /// The script closed it.
            case closed
            /// What the peer sent is not HTTP/1.1.
            case malformed
            /// The server was stopped.
            case stopped
        }

        /// `nil` while it is open.
        public internal(set) var end: End?
        public internal(set) var bytesRead = 0
        public internal(set) var bytesWritten = 0
        /// How many requests came on it, heads counted.
        public internal(set) var requests = 0
        /// Whether a write has waited long for a peer that does not read.
        public internal(set) var isWriteStalled = false
        /// The gate it waits at.
        public internal(set) var gate: String?

        /// Whether the peer has ended it.
        public var isEndedByPeer: Bool { end == .peerClosed || end == .peerReset }
    }

    /// Every connection, in order of arrival.
    public internal(set) var connections: [Connection] = []
    /// Every request whose head is there, in order of arrival.
    public internal(set) var requests: [RecordedRequest] = []
    /// Whether new connections are accepted.
    public internal(set) var isListening = true
}
