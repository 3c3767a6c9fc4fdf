#if NIO
import NIOCore
import NIOPosix
import NIOSSL
@_spi(TarmacRooms) import TarmacCore

/// Finds out whether a handshake was refused because there was no client certificate.
///
/// TLS 1.3 has an alert for that. Before, a server sends `handshake_failure`, as it does if the two sides have
/// no cipher in common (RFC 5246 §7.4.6). The probe therefore makes another handshake with the same trust, and
/// checks whether the server asks for a certificate.
enum ClientCertificateProbe {
    /// Returns the error to throw instead, if a missing client certificate is the reason.
    static func explain(
        _ failure: TarmacError, _ url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings, for exchange: Exchange
    ) async -> TarmacError? {
        guard settings.clientIdentity == nil, TLSErrorMapping.isUnexplainedRefusal(failure) else { return nil }
        guard (try? await look(at: url, route: route, settings: settings, for: exchange).get()) == true else { return nil }
        return TarmacError(
            .clientCertificateRequired, phase: .connecting, "the server asks for a client certificate",
            suggestion: "give one in ConnectionSettings.clientIdentity", cause: failure.cause)
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
    /// Makes a handshake like the connections of requests, with the same trust and the same offers, because a
    /// server may select its certificate by the offers.
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
