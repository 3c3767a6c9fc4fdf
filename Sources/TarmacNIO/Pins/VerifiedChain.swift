#if NIO
import NIOCore
import NIOSSL
@_spi(TarmacRooms) import TarmacCore

/// The certificates with which BoringSSL verified a server, from its own to the root.
///
/// After a handshake, BoringSSL gives access only to the server's own certificate. It shows the others only
/// while it verifies them. A probe therefore makes another handshake with the same trust and observes it.
enum VerifiedChain {
    /// Starts a probe. The result is empty if no handshake succeeded.
    static func look(_ probe: TLSProbe, at url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings) -> EventLoopFuture<[[UInt8]]> {
        let seen = Locked<[NIOSSLCertificate]>([])
        probe.start(url, route: route, settings: settings) { context in
            try WatchedVerification.handler(context, serverName: ServerName.of(url)) { certificate in
                seen.withLock { $0.append(certificate) }
            }
        }
        return probe.outcome.map { isVerified in
            // The certificates arrive from the root down.
            isVerified ? seen.withLock { $0.reversed() }.compactMap { try? $0.toDERBytes() } : []
        }
    }
}

/// The server name for the handshake. An address is not sent as a name (RFC 6066 §3).
enum ServerName {
    static func of(_ url: HTTPURL) -> String? {
        let isAddress = url.host.hasPrefix("[") || (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
        return isAddress ? nil : url.host
    }
}

/// A handler that reports each certificate as BoringSSL verifies it, and does not change the result.
private protocol VerificationWatching {
    static func make(_ context: NIOSSLContext, _ serverName: String?, _ tell: @escaping (NIOSSLCertificate) -> Void) throws -> NIOSSLClientHandler
}

private enum WatchedVerification: VerificationWatching {
    static func handler(
        _ context: NIOSSLContext, serverName: String?, tell: @escaping (NIOSSLCertificate) -> Void
    ) throws -> NIOSSLClientHandler {
        try (Self.self as any VerificationWatching.Type).make(context, serverName, tell)
    }

    // NIOSSL advises against this callback because it can easily disable verification. Its replacement disables
    // it by itself, and shows the certificates that the server sent and not those that were verified.
    @available(*, deprecated, message: "the only way NIOSSL has to see what BoringSSL verified")
    static func make(_ context: NIOSSLContext, _ serverName: String?, _ tell: @escaping (NIOSSLCertificate) -> Void) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName) { result, certificate in
            tell(certificate)
            return result
        }
    }
}
#endif
