#if NIO
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
package import Tarmac
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out why a certificate was refused. BoringSSL says only that it was, so the server is asked to show it once more,
/// on a connection that trusts anyone, sends nothing and closes at once.
package enum CertificateProbe {
    /// When a certificate counts.
    package struct Validity: Sendable {
        let notBefore: Int64
        let notAfter: Int64

        package init(notBefore: Int64, notAfter: Int64) {
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }

    private static let limit = TimeAmount.seconds(10)

    /// The error to throw instead, if the server's certificate is out of its time.
    static func explain(_ url: HTTPURL, for exchange: Exchange) async -> TarmacError? {
        guard let validity = try? await validity(of: url, for: exchange) else { return nil }
        return judge(validity, now: Int64(Date().timeIntervalSince1970))
    }

    package static func judge(_ validity: Validity, now: Int64) -> TarmacError? {
        if now > validity.notAfter {
            return TarmacError(.expiredCertificate, phase: .connecting, "the server's certificate has expired")
        }
        if now < validity.notBefore {
            return TarmacError(.expiredCertificate, phase: .connecting, "the server's certificate is not valid yet")
        }
        return nil
    }

    private static func validity(of url: HTTPURL, for exchange: Exchange) async throws -> Validity? {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let shown = eventLoop.makePromise(of: Validity?.self)
        let timer = eventLoop.scheduleTask(in: limit) { shown.succeed(nil) }
        exchange.onAbort { _ in shown.succeed(nil) }
        let channel = try bootstrap(url, on: eventLoop, shown: shown).connect(host: host(of: url), port: url.origin.port)
        channel.whenFailure { _ in shown.succeed(nil) }
        shown.futureResult.whenComplete { _ in
            timer.cancel()
            channel.whenSuccess { $0.close(promise: nil) }
        }
        return try await shown.futureResult.get()
    }

    private static func bootstrap(
        _ url: HTTPURL, on eventLoop: any EventLoop, shown: EventLoopPromise<Validity?>
    ) throws -> ClientBootstrap {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        // Reading the system's roots takes longer than all the rest.
        tls.trustRoots = .certificates([])
        let context = try NIOSSLContext(configuration: tls)
        let name = isAddress(url.host) ? nil : url.host
        return ClientBootstrap(group: eventLoop).connectTimeout(limit).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let handler = try NIOSSLClientHandler(context: context, serverHostname: name)
                try channel.pipeline.syncOperations.addHandler(handler)
                try channel.pipeline.syncOperations.addHandler(ProbeHandler(shown: shown))
            }
        }
    }

    private static func host(of url: HTTPURL) -> String {
        url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    }

    private static func isAddress(_ host: String) -> Bool {
        host.hasPrefix("[") || (try? SocketAddress(ipAddress: host, port: 0)) != nil
    }
}

private final class ProbeHandler: ChannelInboundHandler {
    typealias InboundIn = Any

    private let shown: EventLoopPromise<CertificateProbe.Validity?>

    init(shown: EventLoopPromise<CertificateProbe.Validity?>) { self.shown = shown }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent else { return context.fireUserInboundEventTriggered(event) }
        let handler = try? context.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
        let certificate = handler?.peerCertificate
        shown.succeed(certificate.map { .init(notBefore: Int64($0.notValidBefore), notAfter: Int64($0.notValidAfter)) })
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { shown.succeed(nil) }
    func channelInactive(context: ChannelHandlerContext) { shown.succeed(nil) }
}
#endif
