@_spi(TarmacRooms) import TarmacCore

/// The state shared by the server's thread and its owner: the log, the gates, and the owner's requests.
final class ServerState: Sendable {
    private struct Controls {
        /// The number of remaining passes of each gate; `Int.max` if it is open.
        var permits: [String: Int] = [:]
        var isStopped = false
        var isRefusing = false
    }

    let log = Watched(ServerLog())
    private let controls = Locked(Controls())

    // MARK: For the thread

    var isStopped: Bool { controls.withLock { $0.isStopped } }
    var isRefusing: Bool { controls.withLock { $0.isRefusing } }

    /// Returns whether a connection may pass the gate now, and takes a permit if so.
    func pass(_ gate: String) -> Bool {
        controls.withLock { controls in
            let permits = controls.permits[gate] ?? 0
            guard permits > 0 else { return false }
            if permits != .max { controls.permits[gate] = permits - 1 }
            return true
        }
    }

    func addConnection() -> Int {
        log.update { log in
            log.connections.append(ServerLog.Connection())
            return log.connections.count - 1
        }
    }

    func change(_ connection: Int, _ change: (inout ServerLog.Connection) -> Void) {
        log.update { change(&$0.connections[connection]) }
    }

    func record(_ request: RecordedRequest, _ connection: Int) -> Int {
        log.update { log in
            log.requests.append(request)
            log.connections[connection].requests += 1
            return log.requests.count - 1
        }
    }

    func replace(_ request: RecordedRequest, at index: Int) {
        log.update { $0.requests[index] = request }
    }

    // MARK: For the owner

    func open(_ gate: String, permits: Int) {
        controls.withLock { controls in
            let current = controls.permits[gate] ?? 0
            controls.permits[gate] = permits == .max || current == .max ? .max : current + permits
        }
    }

    func stop() { controls.withLock { $0.isStopped = true } }
    func refuse(_ isRefusing: Bool) { controls.withLock { $0.isRefusing = isRefusing } }
}
