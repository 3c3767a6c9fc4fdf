public import TarmacCore

/// A loopback port where no connection comes about.
///
/// The port stays taken while the value lives, so no other process answers on it.
public final class DeadPort: Sendable {
    public let port: Int
    private let sockets: [Socket]

    /// A port where connecting is refused at once.
    public static func refusing() throws -> DeadPort {
        DeadPort([try Socket.bound()])
    }

    /// A port where connecting neither succeeds nor fails: the queue of a listener that accepts nobody is full.
    public static func silent() throws -> DeadPort {
        let listener = try Socket.listening(backlog: 0)
        // Linux keeps one more than the backlog; the rest of these wait as the next peer will.
        let fillers = try (0..<4).map { _ in try Socket.connecting(to: listener.port) }
        return DeadPort([listener] + fillers)
    }

    private init(_ sockets: [Socket]) {
        self.sockets = sockets
        port = sockets[0].port
    }

    deinit { for socket in sockets { socket.close() } }

    /// The URL of a path on this port.
    public func url(_ path: String = "/") -> HTTPURL {
        HTTPURL(scheme: "http", host: "127.0.0.1", port: port, path: path, query: nil)
    }
}
