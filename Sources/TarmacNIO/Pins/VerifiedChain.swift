#if NIO
import NIOCore
import NIOSSL
import TarmacCore

/// The certificates that BoringSSL verified a server with, from its own to the root.
///
/// After a handshake BoringSSL tells of the server's own certificate alone; those above it are told only while it verifies
/// them. So a probe shakes hands once more, with the same trust, and watches.
enum VerifiedChain {
    /// Begins to look; the result is empty when no handshake came to a good end.
    static func look(_ probe: TLSProbe, at url: HTTPURL, route: ConnectionRoute, settings: ConnectionSettings) -> EventLoopFuture<[[UInt8]]> {
        let seen = Locked<[NIOSSLCertificate]>([])
        probe.start(url, route: route, settings: settings) { context in
            try WatchedVerification.handler(context, serverName: ServerName.of(url)) { certificate in
                seen.withLock { $0.append(certificate) }
            }
        }
        return probe.outcome.map { isVerified in
            // They come from the root down.
            isVerified ? seen.withLock { $0.reversed() }.compactMap { try? $0.toDERBytes() } : []
        }
    }
}

/// The name a server is asked for in the handshake; addresses are not named (RFC 6066 §3).
enum ServerName {
    static func of(_ url: HTTPURL) -> String? {
        let isAddress = url.host.hasPrefix("[") || (try? SocketAddress(ipAddress: url.host, port: 0)) != nil
        return isAddress ? nil : url.host
    }
}

/// A handler that tells each certificate as BoringSSL verifies it, and changes nothing about the result.
private protocol VerificationWatching {
    static func make(_ context: NIOSSLContext, _ serverName: String?, _ tell: @escaping (NIOSSLCertificate) -> Void) throws -> NIOSSLClientHandler
}

private enum WatchedVerification: VerificationWatching {
    static func handler(
        _ context: NIOSSLContext, serverName: String?, tell: @escaping (NIOSSLCertificate) -> Void
    ) throws -> NIOSSLClientHandler {
        try (Self.self as any VerificationWatching.Type).make(context, serverName, tell)
    }

    // NIOSSL advises against this callback because it is easily used to switch verification off. The one that replaces it
    // does so by itself, and shows what the server sent in place of what was verified.
    @available(*, deprecated, message: "the only way NIOSSL has to see what BoringSSL verified")
    static func make(_ context: NIOSSLContext, _ serverName: String?, _ tell: @escaping (NIOSSLCertificate) -> Void) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: context, serverHostname: serverName) { result, certificate in
            tell(certificate)
            return result
        }
    }
}
#endif
