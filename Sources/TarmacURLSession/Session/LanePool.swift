import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a transport: a common session, one session for each request that needs a new connection, and
/// former common sessions that still have requests.
final class LanePool: Sendable {
    fileprivate struct State {
        var shared: Lane?
        /// The lanes that are removed with their last task.
        var passing: [ObjectIdentifier: Lane] = [:]
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
    func lane(for need: LaneNeed) throws(TarmacError) -> Lane {
        let lane = state.withLock { state -> Lane? in
            if state.isClosed { return nil }
            return need == .shared ? state.common(or: makeLane) : state.pass(makeLane())
        }
        guard let lane else { throw Lane.closedError }
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

    private func makeLane() -> Lane {
        Lane(settings.configuration, trust: settings.trust) { [weak self] in self?.note($1, $0) }
    }

    private func note(_ notice: Lane.Notice, _ lane: Lane) {
        let isOut = state.withLock { state in
            switch notice {
            case .emptied: state.passing.removeValue(forKey: ObjectIdentifier(lane)) != nil
            case .spoilt: state.replaceCommon(lane)
            }
        }
        if isOut { lane.retire() }
    }
}

extension LanePool.State {
    fileprivate var lanes: [Lane] { (shared.map { [$0] } ?? []) + passing.values }

    fileprivate mutating func letGo() {
        shared = nil
        passing = [:]
    }

    /// Replaces the common lane: new requests use another one, and requests in progress may end. Returns
    /// `false` if the lane is not the common one.
    fileprivate mutating func replaceCommon(_ lane: Lane) -> Bool {
        guard shared === lane else { return false }
        shared = nil
        passing[ObjectIdentifier(lane)] = lane
        return true
    }

    fileprivate mutating func common(or make: () -> Lane) -> Lane {
        if let shared { return shared }
        let lane = make()
        shared = lane
        return lane
    }

    fileprivate mutating func pass(_ lane: Lane) -> Lane {
        passing[ObjectIdentifier(lane)] = lane
        return lane
    }
}
