#if NIO
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
@_spi(TarmacRooms) import TarmacCore

/// One request on one connection. It connects the caller, AsyncHTTPClient's pool and the handler of the
/// connection.
///
/// The pool receives a stand-in without a body and brings it to a connection. There, ``ExchangeHandler`` finds
/// this exchange, sends its head and body, and gives it the response. The pool reports only failures.
final class WireExchange: Sendable {
    struct State {
        var number = 0
        /// Whether nothing more arrives from the network.
        var isEnded = false
        var hasReportedEnd = false
        var continuation: UnsafeContinuation<TarmacCore.Response, any Error>?
        /// The lease of the connection, or the wait for one.
        var lease: ConnectionLease?
        /// Whether the exchange waits for a connection. Idle connections of the peer return to the pool then.
        var isWaiting = false
        var connection: ConnectionLink?
        /// The history of the connection, for the mapping of a failure. `nil` while the exchange has no
        /// connection.
        var uses: ConnectionUses?
        var isReused = false
        var isUnprocessed = false
        /// The original error of the pool.
        var poolError: (any Error)?
        var head: ResponseHead?
        var received = 0
        var collector: BodyCollector?
        var stream: StreamBuffer?
        var reader: UnsafeContinuation<Bytes?, any Error>?
        var upload: Task<Void, Never>?
    }

    let exchange: Exchange
    let message: RequestMessage
    let registry: ExchangeRegistry
    let route: ConnectionRoute
    /// The observer of the connection, if there is one.
    let observed: ObservedPeer?
    let state = Locked(State())
    private let peer: PeerConnections
    private let freshPool: HTTPClient?

    /// - Parameter freshPool: the pool to use if the connection must never have carried a request.
    init(
        _ message: RequestMessage, exchange: Exchange, registry: ExchangeRegistry, peer: PeerConnections, freshPool: HTTPClient?,
        route: ConnectionRoute, observed: ObservedPeer?
    ) {
        self.exchange = exchange
        self.message = message
        self.registry = registry
        self.peer = peer
        self.freshPool = freshPool
        self.route = route
        self.observed = observed
    }

    /// Sends the request. Returns at the end of a collected body or at the head of a streamed one.
    func run() async throws -> TarmacCore.Response {
        // SAFETY: `end` and the two functions that deliver take the continuation out of the locked state before
        // they resume it.
        try await withUnsafeThrowingContinuation { continuation in
            // The continuation is stored before the registration, because a shutdown may end the exchange from
            // then on.
            state.withLock { $0.continuation = continuation }
            guard register() != nil else { return }
            exchange.onAbort { [self] in end($0.error, isAbort: true) }
            start()
        }
    }

    /// Adds the exchange to the registry and returns its number. `nil` if the transport is shut down, which has
    /// ended the exchange.
    private func register() -> Int? {
        guard let number = registry.add(self) else {
            end(TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down"))
            return nil
        }
        let isEnded = state.withLock { state in
            state.number = number
            return state.isEnded
        }
        if isEnded { registry.remove(number) }
        return isEnded ? nil : number
    }

    /// Uses an idle connection, or waits for one in the pool.
    func start() {
        if let freshPool {
            peer.expect()
            return wait(in: freshPool)
        }
        if let lease = peer.take() { lease.carry(self) } else { wait(in: peer.pool) }
    }

    /// Whether the connection is one of the peer's pool.
    private var isShared: Bool { freshPool == nil }

    private func wait(in pool: HTTPClient) {
        let lease = ConnectionLease(for: self, peer: isShared ? peer : nil)
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.lease = lease
            state.isWaiting = true
            return state.number
        }
        guard let number else { return peer.leave(isShared: isShared, isAbort: true) }
        var standIn = peer.standIn
        standIn.headers = PlaceholderRequest.headers(number: number, closesConnection: message.closesConnection)
        lease.start(on: pool, standIn: standIn)
    }

    /// Notes that the exchange has a connection.
    func begin(on uses: ConnectionUses, isReused: Bool, wasWaiting: Bool) {
        peer.begin(on: uses, isReused: isReused, wasWaiting: wasWaiting, isShared: isShared)
    }

    /// Notes that the exchange is over, and its connection or its wait for one.
    func leavePeer(_ ending: State.Ending, isAbort: Bool = false) {
        if let uses = ending.uses { peer.end(on: uses, isShared: isShared) }
        if ending.wasWaiting { peer.leave(isShared: isShared, isAbort: isAbort) }
    }

    // MARK: The end

    /// Whether nothing more arrives from the network and nothing more may be sent.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Ends the exchange with an error. Only the first end counts.
    func end(_ error: any Error, isAbort: Bool = false) {
        // The bytes from before the failure are delivered first.
        if !isAbort { wakeReader() }
        if let ending = state.withLock({ $0.end(error, isAbort: isAbort) }) { conclude(ending, error, isAbort: isAbort) }
    }

    /// Gives up the wait for a connection, so that the request can go another way. Nothing happens if there is one.
    func leave(for error: any Error) {
        let ending = state.withLock { state -> State.Ending? in
            guard state.isWaiting, state.uses == nil, !state.isEnded else { return nil }
            state.poolError = error
            return state.end(error, isAbort: true)
        }
        if let ending { conclude(ending, error, isAbort: true) }
    }

    private func conclude(_ ending: State.Ending, _ error: any Error, isAbort: Bool) {
        registry.remove(ending.number)
        leavePeer(ending, isAbort: isAbort)
        ending.upload?.cancel()
        ending.lease?.fail(error)
        if ending.reportsEnd { exchange.report(.ended) }
        ending.continuation?.resume(throwing: error)
        ending.reader?.resume(throwing: error)
    }
}

extension WireExchange.State {
    /// The remaining work outside the lock after an exchange has ended.
    struct Ending {
        let number: Int
        let lease: ConnectionLease?
        let wasWaiting: Bool
        let uses: ConnectionUses?
        let upload: Task<Void, Never>?
        let continuation: UnsafeContinuation<TarmacCore.Response, any Error>?
        let reader: UnsafeContinuation<Bytes?, any Error>?
        let reportsEnd: Bool
    }

    mutating func end(_ error: any Error, isAbort: Bool) -> Ending? {
        // An abort also drops the bytes that a slow reader has not read.
        if isAbort { stream?.abort(error) } else if !isEnded { stream?.fail(error) }
        guard !isEnded else { return nil }
        return close(reportsEnd: stream != nil)
    }

    /// Releases everything that could keep the exchange alive.
    mutating func close(reportsEnd: Bool) -> Ending {
        isEnded = true
        let reports = reportsEnd && !hasReportedEnd
        if reports { hasReportedEnd = true }
        defer {
            lease = nil
            isWaiting = false
            upload = nil
            continuation = nil
            reader = nil
            connection = nil
        }
        return Ending(
            number: number, lease: lease, wasWaiting: isWaiting, uses: uses, upload: upload, continuation: continuation, reader: reader,
            reportsEnd: reports)
    }
}
#endif
