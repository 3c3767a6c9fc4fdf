import Foundation
import Tarmac
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of one transport: a common one, and one for each request that needs a fresh connection.
final class LanePool: Sendable {
    fileprivate struct State {
        var shared: Lane?
        var fresh: [ObjectIdentifier: Lane] = [:]
        var isClosed = false
    }

    private let settings: SessionSettings
    private let state = Locked(State())

    init(_ settings: SessionSettings) { self.settings = settings }

    deinit {
        for lane in state.withLock({ $0.lanes }) { lane.retire() }
    }

    /// Throws `TarmacError(.clientShutDown)` once the pool is closed.
    func lane(for need: LaneNeed) throws(TarmacError) -> Lane {
        let lane = state.withLock { state -> Lane? in
            if state.isClosed { return nil }
            return need == .shared ? state.common(or: makeLane) : state.fresh(makeLane)
        }
        guard let lane else { throw Lane.closedError }
        return lane
    }

    /// Ends every flight and waits until every session is gone.
    func close() async {
        let lanes = state.withLock { state in
            state.isClosed = true
            return state.lanes
        }
        for lane in lanes { lane.close() }
        for lane in lanes { await lane.waitUntilClosed() }
    }

    private func makeLane() -> Lane {
        Lane(settings.configuration, trust: settings.trust) { [weak self] in self?.drop($0) }
    }

    /// A lane's last task is done; only the common one goes on.
    private func drop(_ lane: Lane) {
        let isFresh = state.withLock { $0.fresh.removeValue(forKey: ObjectIdentifier(lane)) != nil }
        if isFresh { lane.retire() }
    }
}

extension LanePool.State {
    fileprivate var lanes: [Lane] { (shared.map { [$0] } ?? []) + fresh.values }

    fileprivate mutating func common(or make: () -> Lane) -> Lane {
        if let shared { return shared }
        let lane = make()
        shared = lane
        return lane
    }

    fileprivate mutating func fresh(_ make: () -> Lane) -> Lane {
        let lane = make()
        fresh[ObjectIdentifier(lane)] = lane
        return lane
    }
}
