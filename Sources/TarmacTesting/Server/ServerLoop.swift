import TarmacCore

/// The thread of a scripted server, which polls its sockets and advances their scripts.
final class ServerLoop {
    /// The time without progress after which a write counts as stalled. The log reports stalls, and only tests of
    /// back-pressure wait for them.
    private static let stallLimit = Duration.milliseconds(150)

    private let shared: ServerState
    private let scripts: ServerScripts
    private let wake: WakePipe
    private var listener: Socket?
    /// Keeps the port in use while connections are refused.
    private var reserve: Socket?
    private var connections: [Int32: ScriptedConnection] = [:]
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(listener: Socket, wake: WakePipe, scripts: ServerScripts, shared: ServerState) {
        self.listener = listener
        self.wake = wake
        self.scripts = scripts
        self.shared = shared
    }

    deinit { scratch.deallocate() }

    /// Runs until the server is stopped, and closes every descriptor.
    func run() {
        while !shared.isStopped {
            shared.isRefusing ? refuse() : listen()
            turn()
        }
        for connection in connections.values { connection.finish(.stopped) }
        closeListener()
    }

    private func closeListener() {
        listener?.close()
        listener = nil
        reserve?.close()
        reserve = nil
    }

    /// Stops listening; a socket that does not listen keeps the port in use.
    private func refuse() {
        guard let listener else { return }
        reserve = try? Socket.bound(port: listener.port)
        listener.close()
        self.listener = nil
        shared.log.update { $0.isListening = false }
    }

    private func listen() {
        guard listener == nil, let reserve, (try? reserve.listen(backlog: 1024)) != nil else { return }
        listener = reserve
        self.reserve = nil
        shared.log.update { $0.isListening = true }
    }

    private func turn() {
        var wanted: [(Int32, Socket.Interest)] = [(wake.reader, .read)]
        if let listener { wanted.append((listener.descriptor, .read)) }
        wanted += connections.values.map { ($0.socket.descriptor, $0.interest) }
        let ready = Socket.poll(wanted, timeout: pollLimit)
        let isWoken = ready[wake.reader] != nil
        if isWoken { wake.drain() }
        for (descriptor, connection) in connections {
            // A wake-up may have opened the gate of any connection.
            let interest = ready[descriptor] ?? []
            let isRested = connection.pausedUntil.map { $0 <= .now } ?? false
            if isWoken || isRested || !interest.isEmpty { connection.proceed(ready: interest, scratch: scratch) }
            connection.noteStall(after: Self.stallLimit)
            if connection.end != nil { connections[descriptor] = nil }
        }
        if let listener, ready[listener.descriptor] != nil { acceptAll(listener) }
    }

    /// The time until the first pause ends, limited so that stalls are noticed; -1 without a reason to wake.
    private var pollLimit: Int32 {
        let rest = connections.values.compactMap(\.pausedUntil).min().map { max(Int32(($0 - .now) / .milliseconds(1)) + 1, 0) }
        return isAnyWriteBlocked ? min(rest ?? 20, 20) : rest ?? -1
    }

    private var isAnyWriteBlocked: Bool { connections.values.contains { $0.blockedSince != nil } }

    private func acceptAll(_ listener: Socket) {
        while let socket = listener.accepted() {
            let id = shared.addConnection()
            let connection = ScriptedConnection(id: id, socket: socket, script: scripts[id], shared: shared)
            connection.proceed(ready: [], scratch: scratch)
            if connection.end == nil { connections[socket.descriptor] = connection }
        }
    }
}

/// The script of each connection.
struct ServerScripts: Sendable {
    let first: [ServerScript]
    let others: ServerScript

    subscript(connection: Int) -> ServerScript { connection < first.count ? first[connection] : others }
}
