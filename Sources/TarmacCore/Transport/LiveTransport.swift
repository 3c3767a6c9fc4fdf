/// The transport of a service's streams that are read as sequences: made with the first of them, with a pool of its own.
/// In the pool of the calls they would hold connections for as long as they live, and calls would wait behind them.
final class LiveTransport: Sendable {
    private struct State {
        var transport: (any Transport)?
        var isClosed = false
    }
    private let state = Locked(State())
    private let make: @Sendable () throws -> any Transport

    /// How many streams a service has open at most.
    static let limit = 4_096

    init(_ make: @escaping @Sendable () throws -> any Transport) { self.make = make }

    /// Throws what the making throws, and `TarmacError(.clientShutDown)` once it is closed.
    func transport() async throws -> any Transport {
        if let made = try current() { return made }
        let fresh = try make()
        let isKept = state.withLock { state in
            if state.isClosed || state.transport != nil { return false }
            state.transport = fresh
            return true
        }
        if isKept { return fresh }
        // Another stream was faster, or the client was shut down meanwhile.
        await fresh.shutdown()
        return try await transport()
    }

    private func current() throws -> (any Transport)? {
        try state.withLock { state in
            if state.isClosed { throw TarmacError.clientShutDown }
            return state.transport
        }
    }

    func shutdown() async {
        let transport = state.withLock { state in
            state.isClosed = true
            defer { state.transport = nil }
            return state.transport
        }
        await transport?.shutdown()
    }
}

extension ConnectionSettings {
    /// The same for streams: as many connections as there may be streams, unless the number was set.
    var live: ConnectionSettings {
        var settings = self
        settings.connectionsPerHost = connectionsPerHost ?? LiveTransport.limit
        return settings
    }
}
