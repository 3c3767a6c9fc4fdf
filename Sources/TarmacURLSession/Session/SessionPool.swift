import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport: a common session, one session for each request that needs a new connection, and
/// former common sessions that still have requests.
final class SessionPool: Sendable {
    fileprivate struct State {
        var shared: PooledSession?
        /// The sessions that are removed with their last task.
        var passing: [ObjectIdentifier: PooledSession] = [:]
        var isClosed = false
    }

    private let settings: SessionSettings
    private let state = Locked(State())

    init(_ settings: SessionSettings) { self.settings = settings }

    deinit {
        for pooled in state.withLock({ $0.pooledSessions }) { pooled.retire() }
    }

    /// Returns a session for a request.
    ///
    /// - Throws: `TarmacError(.clientShutDown)` after the pool was closed.
    func pooled(for need: SessionNeed) throws(TarmacError) -> PooledSession {
        let pooled = state.withLock { state -> PooledSession? in
            if state.isClosed { return nil }
            return need == .shared ? state.common(or: makeSession) : state.pass(makeSession())
        }
        guard let pooled else { throw PooledSession.closedError }
        return pooled
    }

    /// Ends every exchange and waits until every session is invalid.
    func close() async {
        let pooledSessions = state.withLock { state in
            state.isClosed = true
            return state.pooledSessions
        }
        for pooled in pooledSessions { pooled.close() }
        for pooled in pooledSessions { await pooled.waitUntilClosed() }
        // A session closes its idle connections.
        state.withLock { $0.letGo() }
    }

    private func makeSession() -> PooledSession {
        PooledSession(settings.configuration, settings.answers) { [weak self] in self?.note($1, $0) }
    }

    private func note(_ notice: PooledSession.Notice, _ pooled: PooledSession) {
        let isOut = state.withLock { state in
            switch notice {
            case .emptied: state.passing.removeValue(forKey: ObjectIdentifier(pooled)) != nil
            case .spoilt: state.replaceCommon(pooled)
            }
        }
        if isOut { pooled.retire() }
    }
}

extension SessionPool.State {
    fileprivate var pooledSessions: [PooledSession] { (shared.map { [$0] } ?? []) + passing.values }

    fileprivate mutating func letGo() {
        shared = nil
        passing = [:]
    }

    /// Replaces the common session: new requests use another one, and requests in progress may end. Returns
    /// `false` if the session is not the common one.
    fileprivate mutating func replaceCommon(_ pooled: PooledSession) -> Bool {
        guard shared === pooled else { return false }
        shared = nil
        passing[ObjectIdentifier(pooled)] = pooled
        return true
    }

    fileprivate mutating func common(or make: () -> PooledSession) -> PooledSession {
        if let shared { return shared }
        let pooled = make()
        shared = pooled
        return pooled
    }

    fileprivate mutating func pass(_ pooled: PooledSession) -> PooledSession {
        passing[ObjectIdentifier(pooled)] = pooled
        return pooled
    }
}
