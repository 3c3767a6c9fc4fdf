#if NIO
import NIOCore
import NIOPosix
import TarmacCore

/// The verified chains of the servers of a pin set, by the server's own certificate. A chain is a fact about certificates,
/// so it holds for every connection that shows the same one and whose trust was evaluated.
final class KnownChains: Sendable {
    fileprivate struct State {
        var known: [[UInt8]: PinPolicy.Evidence] = [:]
        var running: [WebOrigin: Look] = [:]
        var isClosed = false
    }

    fileprivate struct Look {
        let probe = TLSProbe()
        let over = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
    }

    static let limitation = "those that vouch for it could not be looked at"
    private static let sizeLimit = 64

    private let state = Locked(State())

    /// What is known of a server that shows a certificate.
    func evidence(for certificate: [UInt8], isVerified: Bool) -> PinPolicy.Evidence {
        state.withLock { $0.known[certificate] } ?? PinPolicy.Evidence([certificate], isVerified: isVerified, isComplete: false)
    }

    func knows(_ certificate: [UInt8]) -> Bool { state.withLock { $0.known[certificate] != nil } }

    func settle(_ evidence: PinPolicy.Evidence, for certificate: [UInt8]) {
        state.withLock { state in
            if state.known.count >= Self.sizeLimit { state.known = [:] }
            state.known[certificate] = evidence
        }
    }

    /// Looks at a server's chain, once for all who ask meanwhile; tells whether one was seen, and never fails.
    func look(at url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings) -> EventLoopFuture<Bool> {
        let (look, isNew) = state.withLock { $0.join(url.origin) }
        guard isNew else { return look.over.futureResult }
        VerifiedChain.look(look.probe, at: url, route: route, settings: settings).whenComplete { [self] result in
            state.withLock { $0.running[url.origin] = nil }
            let chain = (try? result.get()) ?? []
            if let own = chain.first { settle(PinPolicy.Evidence(chain, isVerified: true, isComplete: true), for: own) }
            look.over.succeed(!chain.isEmpty)
        }
        return look.over.futureResult
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends what is being looked at.
    func close() {
        let probes = state.withLock { state in
            state.isClosed = true
            return state.running.values.map(\.probe)
        }
        for probe in probes { probe.cancel() }
    }
}

extension KnownChains.State {
    /// The look at an origin, and whether it is for the caller to begin it.
    fileprivate mutating func join(_ origin: WebOrigin) -> (look: KnownChains.Look, isNew: Bool) {
        if let look = running[origin] { return (look, false) }
        let look = KnownChains.Look()
        running[origin] = look
        if isClosed { look.probe.cancel() }
        return (look, true)
    }
}
#endif
