#if NIO
import NIOCore
import NIOSSL
import TarmacCore
import TarmacConnection
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Accepts a connection into the pool only if its certificates match the pins. The pool of each pin set has one
/// gate.
///
/// A connection gives access to the server's own certificate, which BoringSSL has verified. If that certificate
/// is not pinned, the certificates above it decide. If they are not known yet, the connection is released, the
/// exchange has them read and tries again.
final class PinGate: Sendable {
    private let policy: PinPolicy
    private let settings: ConnectionSettings
    private let chains = KnownChains()

    init(_ policy: PinPolicy, settings: ConnectionSettings) {
        self.policy = policy
        self.settings = settings
    }

    /// Checks a connection after its handshake. Call it on its event loop.
    ///
    /// - Throws: ``Refusal`` or ``UnknownChain``.
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

    /// Has the certificates above a server's own read. Returns when the exchange may try again.
    ///
    /// Servers that share a name may answer in turn, so there are up to two reads.
    ///
    /// - Parameter isLast: whether certificates that cannot be read this time count as unseen.
    func look(_ unknown: UnknownChain, at url: HTTPURL, route: ConnectionRoute, for exchange: Exchange, isLast: Bool) async throws {
        var isBlind = false
        for _ in 1...2 where !isBlind && !chains.knows(unknown.certificate) {
            isBlind = try await !wait(for: chains.look(at: url, route: route, settings: settings), exchange)
        }
        if chains.isClosed { throw TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }
        guard isLast || isBlind, !chains.knows(unknown.certificate) else { return }
        let evidence = PinPolicy.Evidence([unknown.certificate], isVerified: isVerified, isComplete: true, limitation: KnownChains.limitation)
        // Enforced pins throw here, so the next call reads the chain again.
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

    /// The error of a connection that the pins refuse.
    struct Refusal: Error {
        let report: PinReport
    }

    /// The error of a connection whose own certificate is not pinned and whose further certificates are not
    /// known.
    struct UnknownChain: Error {
        let certificate: [UInt8]
    }
}
#endif
