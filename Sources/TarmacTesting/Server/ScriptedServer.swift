@_spi(TarmacRooms) public import TarmacCore

/// An HTTP/1.1 server on a free loopback port that follows a script byte by byte.
///
/// It answers wrongly, slowly or not at all, at the moment that a test chooses. It records requests, and reports when a
/// peer disconnects. It runs on one thread, which ``stop()`` ends.
///
/// ```swift
/// let server = try ScriptedServer([.readRequest, .hold("answer"), .reply(200, "late")])
/// defer { server.stop() }
/// let call = Task { try await client.send(.get(server.url("/a").string)) }
/// try await server.received(count: 1)
/// server.open("answer")
/// ```
public final class ScriptedServer: Sendable {
    /// The port.
    public let port: Int
    private let shared = ServerState()
    private let wake: WakePipe
    private let thread: WorkerThread
    private let isStopped = Locked(false)

    /// Creates a server that follows a script on every connection.
    public convenience init(_ script: ServerScript) throws {
        try self.init(connections: [], then: script)
    }

    /// Creates a server that follows one script on each of the first connections, and `others` on later ones.
    ///
    /// Throws ``ServerFailure`` if the system provides no socket or thread.
    public init(connections first: [ServerScript], then others: ServerScript = [.close]) throws {
        let listener = try Socket.listening(backlog: 1024)
        let wake = try WakePipe()
        let shared = shared
        self.wake = wake
        port = listener.port
        thread = try WorkerThread {
            ServerLoop(
                listener: listener, wake: wake, scripts: ServerScripts(first: first, others: others), shared: shared
            ).run()
        }
    }

    deinit { stop() }

    /// Returns the URL of a path on this server, with its address: `http://127.0.0.1:port/path`.
    ///
    /// - Parameter target: The path and query, with a leading slash.
    public func url(_ target: String = "/") -> HTTPURL {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return HTTPURL(
            scheme: "http", host: "127.0.0.1", port: port, path: parts.first ?? "/",
            query: parts.count > 1 ? parts[1] : nil)
    }

    /// The log so far.
    public var log: ServerLog { shared.log.value }

    /// The requests so far, in order of arrival.
    public var requests: [RecordedRequest] { log.requests }

    /// Returns the log as soon as it satisfies the condition; throws `CancellationError` when cancelled.
    @discardableResult
    public func wait(until isSatisfied: @escaping @Sendable (ServerLog) -> Bool) async throws -> ServerLog {
        try await shared.log.wait(until: isSatisfied)
    }

    /// Returns the requests once at least `count` heads have arrived; throws `CancellationError` when cancelled.
    @discardableResult
    public func received(count: Int = 1) async throws -> [RecordedRequest] {
        try await wait { $0.requests.count >= count }.requests
    }

    /// Waits until the peer has ended `count` connections; throws `CancellationError` when cancelled.
    public func isLeft(count: Int = 1) async throws {
        try await wait { $0.connections.count(where: \.isEndedByPeer) >= count }
    }

    /// Opens a gate permanently.
    public func open(_ gate: String) {
        shared.open(gate, permits: .max)
        wake.wake()
    }

    /// Lets `count` steps pass a gate.
    public func pass(_ gate: String, count: Int = 1) {
        shared.open(gate, permits: count)
        wake.wake()
    }

    /// Stops listening: new connections are refused, and open ones continue. ``ServerLog/isListening`` reports the
    /// state.
    public func refuseConnections() {
        shared.refuse(true)
        wake.wake()
    }

    /// Listens again on the same port.
    public func acceptConnections() {
        shared.refuse(false)
        wake.wake()
    }

    /// Closes everything and returns when the thread has ended. Further calls have no effect.
    public func stop() {
        let isFirst = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        shared.stop()
        wake.wake()
        thread.join()
        wake.close()
    }
}
