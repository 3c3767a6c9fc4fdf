#if NIO
import NIOCore
import NIOPosix
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection

/// The verified certificate chains of the servers of a pin set, by the server's own certificate.
///
/// A chain is a property of certificates. It is valid for every connection with the same certificate and an
/// evaluated trust.
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

    /// Returns the evidence about a server with a certificate.
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

    /// Reads the chain of a server, once for all callers at the same time. The result states whether a chain
    /// was seen. It never fails.
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

    /// Cancels all reads.
    func close() {
        let probes = state.withLock { state in
            state.isClosed = true
            return state.running.values.map(\.probe)
        }
        for probe in probes { probe.cancel() }
    }
}

extension KnownChains.State {
    /// Returns the read for an origin, and whether the caller has to start it.
    fileprivate mutating func join(_ origin: WebOrigin) -> (look: KnownChains.Look, isNew: Bool) {
        if let look = running[origin] { return (look, false) }
        let look = KnownChains.Look()
        running[origin] = look
        if isClosed { look.probe.cancel() }
        return (look, true)
    }
}
#endif
