#if Inspector
import FlyingSocks
import Foundation
import TarmacCore

/// The routes over the sockets of FlyingSocks. It reads HTTP itself, because the server of FlyingFox bounds no head and takes a time that
/// grows with the square of its length.
final class InspectorServer: Sendable {
    let port: UInt16
    private let running: Task<Void, any Error>

    /// The handling of the requests of every connection.
    struct Handler: Sendable {
        /// The last answer of a connection, before the body is read. `nil` for a request that is answered.
        let refusal: @Sendable (InspectorRequest) -> Answer?
        /// The answer to a request with its body, which is `nil` if it broke off.
        let answer: @Sendable (InspectorRequest, _ body: [UInt8]?) async -> Answer
    }

    /// - Parameter handler: makes the handler. It gets the port, which a `Host` field names.
    init(port: UInt16, isPublic: Bool, _ handler: (_ port: Int) -> Handler) async throws {
        let pool = BoundedSocketPool(SocketPool<Poll>.make()), listener: AsyncSocket
        do {
            try await pool.prepare()
            listener = try AsyncSocket(socket: Self.listening(at: isPublic ? "0.0.0.0" : "127.0.0.1", port), pool: pool)
            guard case .ip4(_, let chosen) = try listener.socket.sockname() else { throw SocketError.disconnected }
            self.port = chosen
        } catch {
            throw TarmacError(.invalidOption, "the inspector cannot listen on port \(port)", suggestion: "port 0 takes a free one", cause: error)
        }
        let made = handler(Int(self.port))
        // LIFETIME: `stop` ends it, or `deinit`.
        running = Task { try await Self.run(listener, pool, made) }
        if Task.isCancelled {
            await stop()
            throw CancellationError()
        }
    }

    deinit { running.cancel() }

    /// Closes all connections, and returns when they are closed.
    func stop() async {
        running.cancel()
        _ = try? await running.value
    }

    private static func listening(at address: String, _ port: UInt16) throws -> Socket {
        let socket = try Socket(domain: Int32(sockaddr_in.family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
            #endif
            try socket.bind(to: sockaddr_in.inet(ip4: address, port: port))
            try socket.listen()
        } catch {
            try? socket.close()
            throw error
        }
        return socket
    }

    private static func run(_ listener: AsyncSocket, _ pool: BoundedSocketPool, _ handler: Handler) async throws {
        defer { try? listener.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { await Self.accept(listener, handler) }
            // Ends the other.
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private static func number(of error: any Error) -> Int32? { if case .failed(_, let number, _)? = error as? SocketError { number } else { nil } }

    private static func accept(_ listener: AsyncSocket, _ handler: Handler) async {
        await withTaskGroup(of: Void.self) { group in
            var policy = AcceptPolicy()
            while !Task.isCancelled {
                let socket: AsyncSocket
                do { socket = try await listener.accept() } catch {
                    guard let pause = policy.pause(after: Self.number(of: error)), (try? await Task.sleep(for: pause)) != nil else { break }
                    continue
                }
                policy.accepted()
                group.addTask {
                    var connection = InspectorConnection(socket)
                    // A connection that fails concerns its peer alone.
                    try? await connection.serve(handler)
                    try? socket.close()
                }
            }
            group.cancelAll()
        }
    }
}
#endif
