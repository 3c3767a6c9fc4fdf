@_spi(TarmacRooms) import TarmacHTTP

/// The transport for the streams of a service that are read as sequences, or for other origins. It is made for the first such
/// request and has its own pool.
///
/// In the pool of ordinary calls, streams would hold connections for as long as they last, and calls would wait
/// for them.
final class LiveTransport: Sendable {
    private struct State {
        var transport: (any Transport)?
        var isClosed = false
    }
    private let state = Locked(State())
    private let make: @Sendable () throws -> any Transport

    /// The maximum number of open streams of a service.
    static let limit = 4_096

    init(_ make: @escaping @Sendable () throws -> any Transport) { self.make = make }

    /// Returns the transport, and makes it if necessary.
    ///
    /// - Throws: the error of the closure that makes it, and `TarmacError(.clientShutDown)` once it is closed.
    func transport() async throws -> any Transport {
        if let made = try current() { return made }
        let fresh = try make()
        let isKept = state.withLock { state in
            if state.isClosed || state.transport != nil { return false }
            state.transport = fresh
            return true
        }
        if isKept { return fresh }
        // Another stream made the transport first, or the client was shut down in the meantime.
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

/// The transports of a service for origins that are not its own, as a full URL or a redirect names them. Each is made for the first
/// such request.
final class StrangerTransports: Sendable {
    let calls, live: LiveTransport

    /// Returns `nil` if a service's connections are those that any origin gets.
    init?(_ settings: ConnectionSettings, _ factory: TransportFactory) {
        let plain = settings.forStrangers
        if plain == settings { return nil }
        calls = LiveTransport { try factory.makeTransport(plain) }
        live = LiveTransport { try factory.makeTransport(plain.live) }
    }

    func shutdown() async {
        await calls.shutdown()
        await live.shutdown()
    }
}

extension ConnectionSettings {
    /// The settings for other origins: without what identifies the service or the client to it. Pins name their hosts themselves.
    package var forStrangers: ConnectionSettings {
        var settings = self
        (settings.trust, settings.insecurelySkipsHostName, settings.unixSocket) = (.system, false, nil)
        (settings.clientIdentity, settings.rotation) = (nil, nil)
        return settings
    }

    /// The number of connections for streams, unless one is set.
    package static var connectionsForStreams: Int { LiveTransport.limit }

    /// The settings for streams: as many connections as there may be streams, unless a number is set.
    var live: ConnectionSettings {
        var settings = self
        settings.connectionsPerHost = connectionsPerHost ?? LiveTransport.limit
        return settings
    }
}
