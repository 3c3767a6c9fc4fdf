#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import Tarmac
import TarmacNIO
import Testing
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Each error of the libraries underneath, at each point of an exchange.
struct NIOErrorMappingTests {
    private static let connecting = WireStage(host: "h")
    private static let proxied = WireStage(usesProxy: true, host: "h")
    private static let tunnel = WireStage(usesProxy: true, asksProxy: true, host: "h")
    private static let waiting = WireStage(isAttached: true, phase: .waiting)
    private static let stale = WireStage(isAttached: true, mayBeStale: true, phase: .waiting)
    private static let inBody = WireStage(isAttached: true, hasHead: true, phase: .receiving)
    private static func system(_ number: CInt) -> IOError { IOError(errnoCode: number, reason: "test") }

    static let errors: [(any Error & Sendable, WireStage, TarmacError.Code, TarmacError.Phase)] = [
        (system(ECONNREFUSED), connecting, .connectionRefused, .connecting),
        (system(ECONNREFUSED), proxied, .proxyFailed, .connecting),
        (system(ENETUNREACH), connecting, .connectionFailed, .connecting),
        (system(EHOSTUNREACH), connecting, .connectionFailed, .connecting),
        (system(ENOENT), connecting, .connectionFailed, .connecting),
        (system(ETIMEDOUT), connecting, .connectTimeout, .connecting),
        (system(ECONNRESET), waiting, .connectionLost, .waiting),
        (system(EPIPE), waiting, .connectionLost, .waiting),
        (system(ECONNRESET), inBody, .truncatedBody, .receiving),
        (SocketAddressError.unixDomainSocketPathTooLong, connecting, .invalidOption, .connecting),
        (ChannelError.connectTimeout(.seconds(1)), connecting, .connectTimeout, .connecting),
        (ChannelError.ioOnClosedChannel, waiting, .connectionLost, .waiting),
        (HTTPClientError.remoteConnectionClosed, waiting, .connectionLost, .waiting),
        (HTTPClientError.remoteConnectionClosed, inBody, .truncatedBody, .receiving),
        (HTTPClientError.connectTimeout, connecting, .connectTimeout, .connecting),
        (HTTPClientError.getConnectionFromPoolTimeout, connecting, .connectTimeout, .connecting),
        (HTTPClientError.tlsHandshakeTimeout, connecting, .connectTimeout, .connecting),
        (HTTPClientError.alreadyShutdown, connecting, .clientShutDown, .connecting),
        (HTTPClientError.remoteConnectionClosed, tunnel, .proxyFailed, .connecting),
        (HTTPClientError.proxyAuthenticationRequired, proxied, .proxyFailed, .connecting),
        (HTTPClientError.invalidProxyResponse, proxied, .proxyFailed, .connecting),
        (HTTPClientError.httpProxyHandshakeTimeout, proxied, .proxyFailed, .connecting),
        (HTTPClientError.socksHandshakeTimeout, proxied, .proxyFailed, .connecting),
        (HTTPClientError.serverOfferedUnsupportedApplicationProtocol("x"), connecting, .tlsHandshakeFailed, .connecting),
        (HTTPClientError.emptyHost, connecting, .transportFailed, .connecting),
        (HTTPParserError.invalidEOFState, waiting, .connectionLost, .waiting),
        (HTTPParserError.invalidEOFState, inBody, .truncatedBody, .receiving),
        (HTTPParserError.headerOverflow, waiting, .headersTooLarge, .waiting),
        (HTTPParserError.invalidConstant, waiting, .malformedResponse, .waiting),
        (HTTPParserError.invalidChunkSize, inBody, .malformedResponse, .receiving),
        (NIOSSLError.uncleanShutdown, inBody, .truncatedBody, .receiving),
        (NIOSSLError.uncleanShutdown, waiting, .connectionLost, .waiting),
        (NIOSSLError.uncleanShutdown, connecting, .tlsHandshakeFailed, .connecting),
        (NIOSSLError.handshakeFailed(.zeroReturn), connecting, .tlsHandshakeFailed, .connecting),
        (NIOSSLError.unableToValidateCertificate, connecting, .untrustedCertificate, .connecting),
        (NIOSSLExtraError.failedToValidateHostname, connecting, .hostnameMismatch, .connecting),
        (CancellationError(), waiting, .transportFailed, .waiting),
        (TarmacError(.idleTimeout, phase: .sending), inBody, .idleTimeout, .sending),
    ]

    // XF-9: a network or a host that cannot be reached has a code of its own.
    @Test(arguments: errors.indices) func errorHasItsCodeAndPhase(_ index: Int) {
        let (error, stage, code, phase) = Self.errors[index]
        let mapped = NIOErrorMapping.error(for: error, at: stage)
        #expect(mapped.code == code, "\(error)")
        #expect(mapped.phase == phase, "\(error)")
        #expect(mapped.cause != nil || error is TarmacError)
    }

    typealias Decision = ResendPolicy.Decision

    static let decisions: [(any Error & Sendable, WireStage, idempotent: Bool, replayable: Bool, Bool)] = [
        (HTTPClientError.remoteConnectionClosed, stale, true, true, true),
        (system(ECONNRESET), stale, true, true, true),
        (system(EPIPE), stale, true, true, true),
        (ChannelError.ioOnClosedChannel, stale, true, true, true),
        (HTTPClientError.remoteConnectionClosed, stale, false, true, false),
        (HTTPClientError.remoteConnectionClosed, stale, true, false, false),
        (HTTPClientError.remoteConnectionClosed, waiting, true, true, false),
        (HTTPClientError.remoteConnectionClosed, inBody, true, true, false),
        (HTTPParserError.invalidEOFState, stale, true, true, false),
        (HTTPParserError.invalidConstant, stale, true, true, false),
        (NIOSSLError.uncleanShutdown, stale, true, true, true),
        (HTTPClientError.cancelled, stale, true, true, false),
    ]

    @Test(arguments: decisions.indices) func onlyAStaleConnectionIsReasonToSendAgain(_ index: Int) {
        let (error, stage, isIdempotent, isReplayable, resends) = Self.decisions[index]
        let decision = ResendPolicy.decide(after: error, at: stage, isIdempotent: isIdempotent, isReplayable: isReplayable)
        #expect(decision == (resends ? .resend : .fail), "\(error)")
    }

    @Test(arguments: [false, true]) func whatWasNeverSentGoesToThePoolAgain(_ isIdempotent: Bool) {
        for (error, expected) in [
            (HTTPClientError.remoteConnectionClosed, Decision.carryAgain), (.cancelled, .carryAgain),
            (.getConnectionFromPoolTimeout, .waitAgain), (.connectTimeout, .waitAgain),
        ] {
            let decision = ResendPolicy.decide(
                after: error, at: Self.connecting, isIdempotent: isIdempotent, isReplayable: false)
            #expect(decision == expected)
        }
        let closed = ResendPolicy.decide(after: HTTPClientError.remoteConnectionClosed, at: Self.tunnel, isIdempotent: isIdempotent, isReplayable: false)
        #expect(closed == .askAgain)
        let forwarded = ResendPolicy.decide(
            after: HTTPClientError.remoteConnectionClosed, at: Self.proxied, isIdempotent: isIdempotent, isReplayable: false)
        #expect(forwarded == .carryAgain)
        let refused = ResendPolicy.decide(
            after: Self.system(ECONNREFUSED), at: Self.connecting, isIdempotent: true, isReplayable: true)
        #expect(refused == .fail)
    }

    @Test(arguments: [(true, Decision.resendElsewhere), (false, .fail)])
    func whatTheServerHasNotActedOnIsSentAgainWhateverItsMethod(_ isReplayable: Bool, _ expected: Decision) {
        let disclaimed = WireStage(isAttached: true, isUnprocessed: true, phase: .waiting)
        let decision = ResendPolicy.decide(
            after: HTTPClientError.remoteConnectionClosed, at: disclaimed, isIdempotent: false, isReplayable: isReplayable)
        #expect(decision == expected)
    }

    /// RFC 9113 §6.8: a server may act on what it does not disclaim, so only what may be repeated is sent again.
    @Test(arguments: [(true, Decision.resendElsewhere), (false, .fail)])
    func aConnectionGoingAwayMayTakeARequestWithIt(_ isIdempotent: Bool, _ expected: Decision) {
        let leaving = WireStage(isAttached: true, isGoingAway: true, phase: .waiting)
        let decision = ResendPolicy.decide(
            after: HTTPClientError.remoteConnectionClosed, at: leaving, isIdempotent: isIdempotent, isReplayable: true)
        #expect(decision == expected)
    }

    @Test(arguments: [(Decision.fail, 0), (.resend, 1), (.resendElsewhere, 4), (.carryAgain, 8), (.askAgain, 1)])
    func everyReasonToCarryAgainRunsOut(_ decision: Decision, _ count: Int) {
        var allowance = ResendPolicy.Allowance()
        #expect((0..<20).map { _ in allowance.take(decision) }.count { $0 } == count)
    }
}
#endif
