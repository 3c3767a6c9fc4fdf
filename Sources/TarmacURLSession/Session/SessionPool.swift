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
        /// The lanes that are removed with their last task.
        var passing: [ObjectIdentifier: PooledSession] = [:]
        var isClosed = false
    }

    private let settings: SessionSettings
    private let state = Locked(State())

    init(_ settings: SessionSettings) { self.settings = settings }

    deinit {
        for lane in state.withLock({ $0.lanes }) { lane.retire() }
    }

    /// Returns a lane for a request.
    ///
    /// - Throws: `TarmacError(.clientShutDown)` after the pool was closed.
    func lane(for need: LaneNeed) throws(TarmacError) -> PooledSession {
        let lane = state.withLock { state -> PooledSession? in
            if state.isClosed { return nil }
            return need == .shared ? state.common(or: makeLane) : state.pass(makeLane())
        }
        guard let lane else { throw PooledSession.closedError }
        return lane
    }

    /// Ends every exchange and waits until every session is invalid.
    func close() async {
        let lanes = state.withLock { state in
            state.isClosed = true
            return state.lanes
        }
        for lane in lanes { lane.close() }
        for lane in lanes { await lane.waitUntilClosed() }
        // A session closes its idle connections.
        state.withLock { $0.letGo() }
    }

    private func makeLane() -> PooledSession {
        PooledSession(settings.configuration, trust: settings.trust) { [weak self] in self?.note($1, $0) }
    }

    private func note(_ notice: PooledSession.Notice, _ lane: PooledSession) {
        let isOut = state.withLock { state in
            switch notice {
            case .emptied: state.passing.removeValue(forKey: ObjectIdentifier(lane)) != nil
            case .spoilt: state.replaceCommon(lane)
            }
        }
        if isOut { lane.retire() }
    }
}

extension SessionPool.State {
    fileprivate var lanes: [PooledSession] { (shared.map { [$0] } ?? []) + passing.values }

    fileprivate mutating func letGo() {
        shared = nil
        passing = [:]
    }

    /// Replaces the common lane: new requests use another one, and requests in progress may end. Returns
    /// `false` if the lane is not the common one.
    fileprivate mutating func replaceCommon(_ lane: PooledSession) -> Bool {
        guard shared === lane else { return false }
        shared = nil
        passing[ObjectIdentifier(lane)] = lane
        return true
    }

    fileprivate mutating func common(or make: () -> PooledSession) -> PooledSession {
        if let shared { return shared }
        let lane = make()
        shared = lane
        return lane
    }

    fileprivate mutating func pass(_ lane: PooledSession) -> PooledSession {
        passing[ObjectIdentifier(lane)] = lane
        return lane
    }
}
