#if NIO
import NIOCore
import NIOSSL
import TarmacCore
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Lets a connection into the pool only when its certificates fit the pins; the pool of one pin set has one.
///
/// A connection shows the server's own certificate, which BoringSSL has verified. Where that one is not pinned, those above
/// it decide; when they are not known yet the connection is let go, the exchange has them looked at and comes again.
final class PinGate: Sendable {
    private let policy: PinPolicy
    private let settings: ConnectionSettings
    private let chains = KnownChains()

    init(_ policy: PinPolicy, settings: ConnectionSettings) {
        self.policy = policy
        self.settings = settings
    }

    /// Judges a connection whose handshake is over; throws ``Refusal`` or ``UnknownChain``. To be called on its event loop.
    func check(_ channel: any Channel) throws -> PinNotice? {
        let handler = try? channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        let certificate = try handler?.peerCertificate?.toDERBytes()
        return try judge(certificate.map { chains.evidence(for: $0, isVerified: isVerified) }, certificate)
    }

    private var isVerified: Bool { settings.trust != .insecureAcceptAnyCertificate }

    private func judge(_ evidence: PinPolicy.Evidence?, _ certificate: [UInt8]?) throws -> PinNotice? {
        switch policy.decide(evidence ?? PinPolicy.Evidence([], isVerified: isVerified, isComplete: true), now: Date()) {
        case .accept: return nil
        case .acceptWith(let notice): return notice
        case .askForChain: throw UnknownChain(certificate: certificate ?? [])
        case .refuse(let report): throw Refusal(report: report)
        }
    }

    /// Has the certificates above a server's own looked at; returns when the exchange may come again. Servers that share a
    /// name may take turns, so it looks twice.
    ///
    /// - Parameter isLast: what cannot be seen this time either, counts as unseen.
    func look(_ unknown: UnknownChain, at url: HTTPURL, route: ConnectionRoute, for exchange: Exchange, isLast: Bool) async throws {
        var isBlind = false
        for _ in 1...2 where !isBlind && !chains.knows(unknown.certificate) {
            isBlind = try await !wait(for: chains.look(at: url, route: route, settings: settings), exchange)
        }
        if chains.isClosed { throw TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }
        guard isLast || isBlind, !chains.knows(unknown.certificate) else { return }
        let evidence = PinPolicy.Evidence([unknown.certificate], isVerified: isVerified, isComplete: true, limitation: KnownChains.limitation)
        // Throws where pins are enforced, and so the next call looks again.
        do { _ = try judge(evidence, unknown.certificate) } catch let refusal as Refusal { throw refusal.report.naming(url.host).error }
        chains.settle(evidence, for: unknown.certificate)
    }

    private func wait(for look: EventLoopFuture<Bool>, _ exchange: Exchange) async throws -> Bool {
        let ended = look.eventLoop.makePromise(of: Bool.self)
        look.cascade(to: ended)
        exchange.onAbort { _ in ended.succeed(false) }
        let hasSeen = try await ended.futureResult.get()
        if let reason = exchange.abortReason { throw reason.error }
        return hasSeen
    }

    func close() { chains.close() }

    /// The pins refuse the connection.
    struct Refusal: Error {
        let report: PinReport
    }

    /// The server's own certificate is not pinned, and those above it are not known.
    struct UnknownChain: Error {
        let certificate: [UInt8]
    }
}
#endif
