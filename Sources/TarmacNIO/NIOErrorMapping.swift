#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
package import TarmacCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Converts errors of AsyncHTTPClient, NIO and BoringSSL to Tarmac's codes and phases.
package enum NIOErrorMapping {
    package static func error(for error: any Error, at stage: WireStage) -> TarmacError {
        if let error = error as? TarmacError { return error }
        if let refusal = error as? PinGate.Refusal { return refusal.report.naming(stage.host).error }
        if !stage.hasHead, ResendPolicy.isUnprocessed(error, at: stage) {
            return TarmacError(.requestUnprocessed, phase: stage.phase, "\(stage.host) has not acted on the request", cause: error)
        }
        let (code, reason) = codeAndReason(error, stage)
        let phase: TarmacError.Phase = stage.isAttached ? (stage.hasHead ? .receiving : stage.phase) : .connecting
        return TarmacError(code, phase: phase, reason, cause: error)
    }

    /// Whether the peer or the network ended the connection without an error of the protocol.
    static func isConnectionLoss(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as IOError: [ECONNRESET, EPIPE, ECONNABORTED, ENOTCONN].contains(error.errnoCode)
        case let error as ChannelError: [.eof, .ioOnClosedChannel, .alreadyClosed, .inputClosed].contains(error)
        case let error as NIOSSLError: error == .uncleanShutdown
        // An alert or a damaged record on a connection that carried requests before.
        case is BoringSSLError: true
        case is NIOHTTP2Errors.StreamClosed, is NIOHTTP2Errors.IOOnClosedConnection, is NIOHTTP2Errors.NoSuchStream: true
        case let error as NIOHTTP2Errors.StreamError: isConnectionLoss(error.baseError)
        default: false
        }
    }

    private typealias Judgement = (TarmacError.Code, String)

    private static func codeAndReason(_ error: any Error, _ stage: WireStage) -> Judgement {
        switch error {
        case let error as HTTPClientError: client(error, stage)
        case let error as HTTPParserError: parser(error, stage)
        case let error as NIOConnectionError: connecting(error, stage)
        case let error as IOError: system(error, stage)
        case let error as ChannelError: channel(error, stage)
        case let error as SocketAddressError: address(error, stage)
        case is SocketAddressError.UnknownHost: notFound(stage.host, stage)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: TLSErrorMapping.judge(error, stage) ?? lost(stage)
        case is PinGate.UnknownChain: (.pinMismatch, "\(stage.host) shows another certificate on each connection, and none of them is pinned")
        case is VersionGate.OtherVersion: (.connectionFailed, "the servers of \(stage.host) change between HTTP/1.1 and HTTP/2 with each connection")
        default: HTTP2ErrorMapping.judge(error, stage) ?? other(error, stage)
        }
    }

    static func lost(_ stage: WireStage) -> (TarmacError.Code, String) {
        stage.hasHead
            ? (.truncatedBody, "the connection closed before the response body was complete")
            : (.connectionLost, "the connection closed before there was a response")
    }

    private static func other(_ error: any Error, _ stage: WireStage) -> Judgement {
        let name = String(describing: type(of: error))
        if name.hasPrefix("SOCKS") || name.hasPrefix("InvalidAddressType") || name.contains("Proxy") {
            return (.proxyFailed, "the SOCKS proxy refused the connection (\(name))")
        }
        return (.transportFailed, "AsyncHTTPClient failed with \(name)")
    }

    // MARK: AsyncHTTPClient

    private static func client(_ error: HTTPClientError, _ stage: WireStage) -> Judgement {
        switch error {
        case .remoteConnectionClosed where stage.asksProxy && !stage.isAttached: (.proxyFailed, "the proxy closed the connection")
        case .remoteConnectionClosed, .uncleanShutdown: lost(stage)
        case .alreadyShutdown: (.clientShutDown, "the transport is shut down")
        case .connectTimeout, .getConnectionFromPoolTimeout: (.connectTimeout, "no connection came about in time")
        case .tlsHandshakeTimeout: (.connectTimeout, "the TLS handshake did not end in time")
        case .socksHandshakeTimeout, .httpProxyHandshakeTimeout, .invalidProxyResponse, .proxyAuthenticationRequired:
            (.proxyFailed, "the proxy failed: \(error.shortDescription)")
        case .cancelled: stage.isAttached ? lost(stage) : (.connectionFailed, "the connection was given up")
        default: clientByText(error)
        }
    }

    private static func clientByText(_ error: HTTPClientError) -> Judgement {
        let text = error.shortDescription
        if text.contains("application protocol") {
            return (.tlsHandshakeFailed, "the server chose an application protocol that was not offered")
        }
        return (.transportFailed, "AsyncHTTPClient failed: \(text)")
    }

    // MARK: HTTP/1

    private static func parser(_ error: HTTPParserError, _ stage: WireStage) -> Judgement {
        switch error {
        case .invalidEOFState, .closedConnection: lost(stage)
        case .headerOverflow: (.headersTooLarge, "the response head is larger than the limit")
        default: (.malformedResponse, "the response is not HTTP/1.1: \(error)")
        }
    }

    // MARK: Connecting

    private static func connecting(_ error: NIOConnectionError, _ stage: WireStage) -> Judgement {
        let failures = error.connectionErrors.map { $0.error }
        if let first = failures.first(where: { ($0 as? IOError)?.errnoCode == ECONNREFUSED }) ?? failures.first {
            return codeAndReason(first, stage)
        }
        return notFound(error.host, stage)
    }

    private static func notFound(_ host: String, _ stage: WireStage) -> Judgement {
        stage.usesProxy
            ? (.proxyFailed, "the proxy \"\(host)\" cannot be found")
            : (.cannotFindHost, "the host \"\(host)\" cannot be found")
    }

    private static func address(_ error: SocketAddressError, _ stage: WireStage) -> Judgement {
        if case .unixDomainSocketPathTooLong = error { return (.invalidOption, "the path of the Unix socket is too long") }
        return notFound(stage.host, stage)
    }

    private static func system(_ error: IOError, _ stage: WireStage) -> Judgement {
        let text = String(cString: strerror(error.errnoCode))
        switch error.errnoCode {
        case _ where stage.isAttached: return lost(stage)
        case _ where stage.usesProxy: return (.proxyFailed, "the proxy cannot be reached: \(text)")
        case ECONNREFUSED: return (.connectionRefused, "\(stage.host) refused the connection")
        case ETIMEDOUT: return (.connectTimeout, "\(stage.host) did not answer")
        case ECONNRESET, EPIPE: return lost(stage)
        default: return (.connectionFailed, "\(stage.host) cannot be reached: \(text)")
        }
    }

    private static func channel(_ error: ChannelError, _ stage: WireStage) -> Judgement {
        switch error {
        case .connectTimeout: (.connectTimeout, "no connection came about in time")
        case .connectPending, .operationUnsupported, .unknownLocalAddress:
            (.connectionFailed, "the connection failed: \(error)")
        default: lost(stage)
        }
    }
}
#endif
