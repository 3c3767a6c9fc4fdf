public import TarmacCore

/// A loopback port that accepts no connection.
///
/// The port stays in use while the value lives, so that no other process answers on it.
public final class DeadPort: Sendable {
    public let port: Int
    private let sockets: [Socket]

    /// Returns a port that refuses connections at once.
    public static func refusing() throws -> DeadPort {
        DeadPort([try Socket.bound()])
    }

    /// Returns a port where connecting neither succeeds nor fails: the queue of its listener is full.
    public static func silent() throws -> DeadPort {
        let listener = try Socket.listening(backlog: 0)
        // Linux queues one more than the backlog; the others wait like the next peer.
        let fillers = try (0..<4).map { _ in try Socket.connecting(to: listener.port) }
        return DeadPort([listener] + fillers)
    }

    private init(_ sockets: [Socket]) {
        self.sockets = sockets
        port = sockets[0].port
    }

    deinit { for socket in sockets { socket.close() } }

    /// Returns the URL of a path on this port.
    public func url(_ path: String = "/") -> HTTPURL {
        HTTPURL(scheme: "http", host: "127.0.0.1", port: port, path: path, query: nil)
    }
}
