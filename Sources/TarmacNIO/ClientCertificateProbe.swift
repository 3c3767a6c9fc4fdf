#if NIO
import NIOCore
import NIOPosix
import NIOSSL
import TarmacCore

/// Finds out whether a handshake was refused for want of a client certificate.
///
/// TLS 1.3 has an alert for that. Before, a server says `handshake_failure`, as it does where the two have no cipher in common
/// (RFC 5246 §7.4.6), so it is asked once more, with the same trust, and whether it asks for a certificate is watched.
enum ClientCertificateProbe {
    /// The error to throw instead, if that is why.
    static func explain(
        _ failure: TarmacError, _ url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings, for exchange: Exchange
    ) async -> TarmacError? {
        guard settings.clientCertificate == nil, TLSErrorMapping.isUnexplainedRefusal(failure) else { return nil }
        guard (try? await look(at: url, route: route, settings: settings, for: exchange).get()) == true else { return nil }
        return TarmacError(
            .clientCertificateRequired, phase: .connecting, "the server asks for a client certificate",
            suggestion: "give one in ConnectionSettings.clientCertificate", cause: failure.cause)
    }

    private static func look(
        at url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings, for exchange: Exchange
    ) -> EventLoopFuture<Bool> {
        let (probe, isAsked) = (TLSProbe(), Locked(false))
        exchange.onAbort { _ in probe.cancel() }
        probe.start(url, route: route, settings: settings) { tls in
            tls.sslContextCallback = { _, answer in
                isAsked.withLock { $0 = true }
                answer.succeed(.noChanges)
            }
        } makeHandler: { context in
            try NIOSSLClientHandler(context: context, serverHostname: ServerName.of(url))
        }
        return probe.outcome.map { _ in isAsked.withLock { $0 } }
    }
}

extension TLSProbe {
    /// Shakes hands as the connections of requests do, with the same trust and the same offers: a server may choose its
    /// certificate by what is offered.
    func start(
        _ url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings, configure: @escaping @Sendable (inout TLSConfiguration) -> Void = { _ in },
        makeHandler: @escaping @Sendable (NIOSSLContext) throws -> NIOSSLClientHandler
    ) {
        // Reading the system's roots takes milliseconds.
        let context = NIOThreadPool.singleton.runIfActive(eventLoop: outcome.eventLoop) {
            var tls = try TLSSettings.make(settings)
            tls.applicationProtocols = settings.httpVersions == .http1Only ? ["http/1.1"] : ["h2", "http/1.1"]
            configure(&tls)
            return try NIOSSLContext(configuration: tls)
        }
        context.whenFailure { [self] _ in cancel() }
        context.whenSuccess { [self] context in start(url, route: route) { try makeHandler(context) } }
    }
}
#endif
