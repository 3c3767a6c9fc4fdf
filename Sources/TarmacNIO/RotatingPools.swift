#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// The pools of a transport. When certificates change, new pools are made for the requests that follow, and the connections of the old ones
/// end with the exchanges that use them.
final class RotatingPools: Sendable {
    private struct Retired {
        let pools: ConnectionPools
        /// The time from which on no new exchange comes. One that is about to use the connections does so at once.
        let end = NIODeadline.now() + PoolWatch.shortest
    }
    private struct State {
        var pools: ConnectionPools
        var material: TLSMaterial
        var refused: RefusedMaterial<TLSMaterial>?
        /// Why, until a request has reported it.
        var refusal: TarmacError?
        var retired: [Retired] = []
        var isClosed = false
    }

    private let settings: ConnectionSettings
    private let registry: ExchangeRegistry
    private let group: any EventLoopGroup
    private let changes: Bool
    private let state: Locked<State>

    init(_ settings: ConnectionSettings, registry: ExchangeRegistry, group: any EventLoopGroup) throws(TarmacError) {
        (self.settings, self.registry, self.group) = (settings, registry, group)
        changes = TLSMaterial.changes(settings)
        let current = Self.renewed(settings)
        let material = TLSMaterial(current)
        state = Locked(State(pools: try ConnectionPools(current, registry: registry, group: group), material: material))
    }

    /// The pools for a request that begins now.
    var current: ConnectionPools { changes ? renewed() : state.withLock { $0.pools } }

    /// Returns why new certificates are not used, once for each change of them.
    func takeRefusal() -> TarmacError? {
        guard changes else { return nil }
        return state.withLock { state in
            defer { state.refusal = nil }
            return state.refusal
        }
    }

    private func renewed() -> ConnectionPools {
        let now = Self.renewed(settings)
        let material = TLSMaterial(now)
        let (known, isNew, _) = state.withLock { state in
            defer { state.retired.removeAll { $0.end < .now() && $0.pools.isUnused } }
            return (state.pools, !state.isClosed && material != state.material && state.refused?.holds(material, .now()) != true, state.retired)
        }
        guard isNew else { return known }
        let made: ConnectionPools
        do { made = try ConnectionPools(now, registry: registry, group: group) } catch {
            state.withLock { state in
                if state.refused?.waitsLonger(for: material, .now()) != true { (state.refused, state.refusal) = (RefusedMaterial(material, .now()), error) }
            }
            return known
        }
        return state.withLock { state in
            if state.isClosed || state.material == material { return state.pools }
            state.retired.append(Retired(pools: state.pools))
            (state.pools, state.material, state.refused, state.refusal) = (made, material, nil, nil)
            return made
        }
    }

    private static func renewed(_ settings: ConnectionSettings) -> ConnectionSettings {
        guard let rotation = settings.rotation else { return settings }
        var (asked, result) = (settings, settings)
        rotation.renew(&asked)
        (result.trust, result.clientIdentity) = (asked.trust, asked.clientIdentity)
        return result
    }

    func shutdown() async {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.retired = [] }
            return state.retired.map(\.pools) + [state.pools]
        }
        await withTaskGroup { group in for pools in all { group.addTask { await pools.shutdown() } } }
    }
}
#endif
