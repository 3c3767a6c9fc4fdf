import HTTPTypes
import Testing

import Tarmac
import TarmacCookies
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacResilience
import TarmacResumableUpload
import TarmacSigning
import TarmacStreams
import TarmacTraffic

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one classification of failures: how far the request came, and whether the failure may pass.
@Suite("Errors: reach and transience") struct ErrorClassTests {
    private struct Row {
        /// The reach while the call connects, and while it waits for the response.
        let reach: [TarmacError.Reach]
        let isTransient: Bool
        var isHeldBack = false
        let codes: [TarmacError.Code]
    }

    private static let table: [Row] = [
        // Refused by the client, or no trust: nothing was sent, and a repeat is refused again.
        Row(
            reach: [.notSent, .mayHaveActed], isTransient: false,
            codes: [
                .invalidURL, .invalidParameter, .invalidOption, .unsupported, .unreadableFile,
                .missingHost, .invalidGroup, .insecureHTTP, .outboxFull, .outboxEntryUnavailable, .untrustedCertificate, .selfSignedCertificate,
                .expiredCertificate, .notYetValidCertificate, .hostnameMismatch, .pinMismatch, .clientCertificateRequired,
                .expiredClientIdentity, .wrongIdentityPassword, .tlsHandshakeFailed,
                .notCached, .dependencyFailed, .transferInProgress,
            ]),
        // No connection came about.
        Row(
            reach: [.notSent, .mayHaveActed], isTransient: true,
            codes: [
                .cannotFindHost, .connectionRefused, .connectTimeout,
            ]),
        // Only the phase tells whether anything was sent.
        Row(
            reach: [.notSent, .mayHaveActed], isTransient: true,
            codes: [
                .connectionFailed, .proxyFailed,
            ]),
        // The request was under way when the network or the server failed.
        Row(
            reach: [.mayHaveActed, .mayHaveActed], isTransient: true,
            codes: [
                .connectionLost, .transportFailed, .timeout, .idleTimeout, .malformedResponse, .truncatedBody,
            ]),
        // The server states that it has not acted.
        Row(
            reach: [.unprocessed, .unprocessed], isTransient: true,
            codes: [
                .requestUnprocessed
            ]),
        // A limit of this client kept the request back.
        Row(
            reach: [.notSent, .mayHaveActed], isTransient: true, isHeldBack: true,
            codes: [
                .circuitOpen, .queueTimeout, .rateLimited,
            ]),
        // The time of the caller is used up, whatever was sent.
        Row(
            reach: [.mayHaveActed, .mayHaveActed], isTransient: true, isHeldBack: true,
            codes: [
                .deadlineExceeded
            ]),
        // The server answered, or the app or the disk ended the call.
        Row(
            reach: [.mayHaveActed, .mayHaveActed], isTransient: false,
            codes: [
                .headersTooLarge, .bodyTooLarge, .undecodableContent, .bodyNotReplayable, .unencryptedResponse, .decryptionFailed,
                .unknownKey, .signatureMissing, .signatureInvalid, .signatureExpired, .signatureReplayed, .redirectRefused,
                .unacceptableStatus, .envelopeFailure, .unacceptableContentType, .malformedJSON, .shapeMismatch, .decodingFailed,
                .reformingFailed, .clientShutDown, .callerFailed, .cookieStoreFailed,
                .storeFailed, .unwritableFile, .recordTooLarge, .truncatedRecord, .pageLoop, .tooManyPages, .pageRefused, .insufficientSpace,
                .digestMismatch, .uploadProtocolFailed,
            ]),
        // The login, and not the request, failed.
        Row(
            reach: [.unprocessed, .unprocessed], isTransient: false,
            codes: [
                .loggedOut, .tokenStoreFailed,
            ]),
        // The login, and not the request, failed for now.
        Row(
            reach: [.unprocessed, .unprocessed], isTransient: true, isHeldBack: true,
            codes: [
                .refreshFailed
            ]),
    ]

    @Test func everyCodeHasItsClass() {
        for row in Self.table {
            for code in row.codes {
                let reach = [TarmacError.Phase.connecting, .waiting].map { TarmacError(code, phase: $0).reach }
                #expect(reach == row.reach, "\(code)")
                #expect(TarmacError(code).isTransient == row.isTransient, "\(code)")
                #expect(code.isHeldBack == row.isHeldBack, "\(code)")
            }
        }
    }

    /// A code that is added gets a row.
    @Test func everyCodeIsInTheTableOnce() throws {
        let folder = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appendingPathComponent("../../../Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/ErrorCode") && $0.hasSuffix(".swift") }
        let sources = try files.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        let declared = sources.flatMap { $0.matches(of: /public static let (\w+) = Self\("(\w+)"/).map { [$0.output.1, $0.output.2] } }
        let names = Self.table.flatMap(\.codes).map(\.name)
        #expect(declared.allSatisfy { $0[0] == $0[1] })
        #expect(Set(names).count == names.count && Set(names) == Set(declared.map { String($0[0]) }))
    }

    /// A transport that names no phase has not said that nothing was sent.
    @Test(arguments: TarmacError.Phase.allCases)
    func thePhaseTellsWhetherAFailedConnectionWasUsed(phase: TarmacError.Phase) {
        let isBefore: Set<TarmacError.Phase> = [.building, .intercepting, .redirecting, .authenticating, .queued, .connecting]
        for code in [TarmacError.Code.connectionFailed, .proxyFailed] {
            #expect(TarmacError(code, phase: phase).reach == (phase == .connecting ? .notSent : .mayHaveActed))
        }
        for code in [TarmacError.Code.connectTimeout, .connectionRefused, .unreadableFile] {
            #expect(TarmacError(code, phase: phase).reach == (isBefore.contains(phase) ? .notSent : .mayHaveActed))
        }
    }

    @Test(
        arguments: [
            (400, false, .mayHaveActed), (401, false, .unprocessed), (403, false, .mayHaveActed), (408, true, .mayHaveActed), (409, false, .mayHaveActed),
            (421, true, .unprocessed), (425, true, .unprocessed), (429, true, .mayHaveActed), (500, true, .mayHaveActed), (501, false, .mayHaveActed),
            (502, true, .mayHaveActed), (503, true, .mayHaveActed), (504, true, .mayHaveActed), (505, false, .mayHaveActed),
        ] as [(Int, Bool, TarmacError.Reach)])
    func aStatusHasItsClass(status: Int, isTransient: Bool, reach: TarmacError.Reach) {
        let snapshot = ResponseSnapshot(status: .init(code: status), headers: [:], body: .empty)
        let error = TarmacError(.unacceptableStatus, phase: .judging).with(response: snapshot)
        #expect(error.isTransient == isTransient && error.reach == reach)
        // The status of a response that failed otherwise decides nothing.
        let other = TarmacError(.decodingFailed, phase: .decoding).with(response: snapshot)
        #expect(!other.isTransient && other.reach == .mayHaveActed)
    }

    @Test func theRulesShareOneListOfStatuses() {
        #expect(RetryRule.exponential().statuses == [408, 421, 425, 429, 500, 502, 503, 504])
        #expect(OutboxRule().statuses == RetryRule.exponential().statuses)
    }
}
