import Foundation
import Tarmac
@testable import TarmacURLSession
import Testing

/// The texts are what libcurl 7.88 over OpenSSL 3 says to the servers named beside them.
@Suite struct SessionFailureTests {
    struct Row: CustomTestStringConvertible {
        var number = NSURLErrorUnknown
        let text: String
        let code: TarmacError.Code
        let phase: TarmacError.Phase
        var testDescription: String { text }
    }

    static let rows: [Row] = [
        // nginx with: an expired certificate, another host's, one of an unknown authority, a self-signed one.
        Row(text: "SSL certificate problem: certificate has expired", code: .expiredCertificate, phase: .connecting),
        Row(
            text: "SSL: no alternative certificate subject name matches target host name 'localhost'",
            code: .hostnameMismatch, phase: .connecting),
        Row(
            text: "SSL: certificate subject name 'a.example' does not match target host name 'localhost'",
            code: .hostnameMismatch, phase: .connecting),
        Row(
            text: "SSL certificate problem: unable to get local issuer certificate", code: .untrustedCertificate,
            phase: .connecting),
        Row(text: "SSL certificate problem: self-signed certificate", code: .selfSignedCertificate, phase: .connecting),
        // The server sent its root along, and nobody here trusts that one.
        Row(
            text: "SSL certificate problem: self-signed certificate in certificate chain", code: .untrustedCertificate,
            phase: .connecting),
        Row(text: "SSL certificate problem: certificate is not yet valid", code: .notYetValidCertificate, phase: .connecting),
        // openssl s_server that wants a certificate; nginx with TLS 1.1; a server that closes on the hello.
        Row(
            text: "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
            code: .clientCertificateRequired, phase: .connecting),
        Row(
            text: "OpenSSL/3.0.19: error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported",
            code: .tlsHandshakeFailed, phase: .connecting),
        Row(
            text: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to localhost:18451 ", code: .tlsHandshakeFailed,
            phase: .connecting),
        Row(
            text: "OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", code: .tlsHandshakeFailed,
            phase: .connecting),
        Row(
            text: "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000126:SSL routines::unexpected eof while reading, errno 0",
            code: .connectionLost, phase: .waiting),
        // A server that breaks a record of its response, or closes in the middle of one.
        Row(
            text: "OpenSSL SSL_read: OpenSSL/3.0.19: error:0A000119:SSL routines::decryption failed or bad record mac, errno 0",
            code: .connectionLost, phase: .waiting),
        Row(text: "OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 0", code: .connectionLost, phase: .waiting),
        // A reset says nothing about how far the request came.
        Row(text: "Recv failure: Connection reset by peer", code: .connectionLost, phase: .waiting),
        Row(
            number: NSURLErrorCannotFindHost, text: "Could not resolve host: nowhere.invalid", code: .cannotFindHost,
            phase: .connecting),
        Row(
            number: NSURLErrorCannotConnectToHost,
            text: "Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server",
            code: .connectionRefused, phase: .connecting),
        Row(
            number: NSURLErrorBadServerResponse, text: "Empty reply from server", code: .connectionLost, phase: .waiting),
        Row(text: "transfer closed with 18 bytes remaining to read", code: .truncatedBody, phase: .receiving),
        Row(text: "Too large response headers: 307652 > 307200", code: .headersTooLarge, phase: .waiting),
        Row(
            number: NSURLErrorUnsupportedURL, text: "Unsupported HTTP version (9.9) in response", code: .malformedResponse,
            phase: .waiting),
        Row(text: "Out of memory", code: .headersTooLarge, phase: .waiting),
        // Apple's numbers.
        Row(number: NSURLErrorSecureConnectionFailed, text: "x", code: .tlsHandshakeFailed, phase: .connecting),
        Row(number: NSURLErrorServerCertificateUntrusted, text: "x", code: .untrustedCertificate, phase: .connecting),
        Row(number: NSURLErrorServerCertificateNotYetValid, text: "x", code: .notYetValidCertificate, phase: .connecting),
        Row(number: NSURLErrorServerCertificateHasBadDate, text: "x", code: .expiredCertificate, phase: .connecting),
        Row(number: NSURLErrorNotConnectedToInternet, text: "x", code: .connectionFailed, phase: .connecting),
        Row(number: NSURLErrorNetworkConnectionLost, text: "x", code: .connectionLost, phase: .waiting),
        Row(number: NSURLErrorBadServerResponse, text: "x", code: .malformedResponse, phase: .waiting),
        Row(number: NSURLErrorTimedOut, text: "x", code: .connectTimeout, phase: .waiting),
        Row(number: NSURLErrorInternationalRoamingOff, text: "x", code: .connectionFailed, phase: .connecting),
        Row(number: NSURLErrorDataNotAllowed, text: "x", code: .connectionFailed, phase: .connecting),
        Row(number: -1022, text: "x", code: .insecureHTTP, phase: .building),
        Row(number: -995, text: "x", code: .invalidOption, phase: .building),
        Row(number: -996, text: "x", code: .connectionFailed, phase: .connecting),
        Row(number: -997, text: "x", code: .connectionLost, phase: .waiting),
        Row(number: -77_777, text: "x", code: .transportFailed, phase: .waiting),
    ]

    // XF-9: so has "not connected to the internet", which nobody asked about beforehand.
    @Test(arguments: rows)
    func failureHasItsCodeAndPhase(row: Row) {
        let error = SessionFailure(code: row.number, text: row.text).error(phase: .waiting, hasHead: false)
        #expect(error.code == row.code)
        #expect(error.phase == row.phase)
        #expect(error.reason == row.text)
    }

    @Test func memoryThatRunsOutAfterTheHeadIsNoHeader() {
        let error = SessionFailure(code: -1, text: "Out of memory").error(phase: .receiving, hasHead: true)
        #expect(error.code == .transportFailed)
    }

    @Test func textOfTheErrorIsFound() {
        let error = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: "text"])
        #expect(SessionFailure(error).text == "text")
        #expect(SessionFailure(error).error(phase: .sending, hasHead: false, cause: error).cause(as: NSError.self) === error)
    }

    @Test(arguments: 306...311) func aProxyThatFailsOnApplePlatformsIsOne(number: Int) {
        let error = SessionFailure(domain: "kCFErrorDomainCFNetwork", code: number, text: "x").error(phase: .waiting, hasHead: false)
        #expect(error.code == .proxyFailed && error.phase == .connecting && error.reach == .notSent)
    }

    @Test(arguments: [("kCFErrorDomainCFNetwork", 305), ("kCFErrorDomainCFNetwork", 312), (NSPOSIXErrorDomain, 310)])
    func otherDomainsAndNumbersSayNothing(domain: String, number: Int) {
        #expect(SessionFailure(domain: domain, code: number, text: "x").error(phase: .waiting, hasHead: false).code == .transportFailed)
    }

    /// The text is in the user's language there, and may have the words of libcurl.
    @Test func theTextDecidesNothingOnApplePlatforms() {
        var failure = SessionFailure(code: NSURLErrorServerCertificateUntrusted, text: "SSL certificate problem: certificate has expired")
        #expect(failure.error(phase: .waiting, hasHead: false).code == .expiredCertificate)
        failure.hasCurlText = false
        #expect(failure.error(phase: .waiting, hasHead: false).code == .untrustedCertificate)
    }

    /// 50 and 51 are `ENETDOWN` and `ENETUNREACH` of Darwin, 61 is `ECONNREFUSED`.
    @Test(arguments: [(1, 51, TarmacError.Code.connectionFailed), (1, 50, .connectionFailed), (1, 61, .connectionRefused), (4, 51, .connectionRefused)])
    func aMissingNetworkIsNoRefusal(domain: Int, number: Int, code: TarmacError.Code) {
        let information: [String: Any] = ["_kCFStreamErrorDomainKey": domain, "_kCFStreamErrorCodeKey": number]
        let error = NSError(domain: NSURLErrorDomain, code: NSURLErrorCannotConnectToHost, userInfo: information)
        #expect(SessionFailure(error).error(phase: .waiting, hasHead: false).code == code)
    }

    @Test func onlyURLSessionsOwnCancellationIsOne() {
        #expect(SessionFailure(code: NSURLErrorCancelled, text: "").isCancellation)
        #expect(!SessionFailure(code: NSURLErrorNetworkConnectionLost, text: "").isCancellation)
        #expect(!SessionFailure(domain: NSPOSIXErrorDomain, code: NSURLErrorCancelled, text: "").isCancellation)
    }

    /// libcurl opens a second connection by itself when the kept one was lost behind the request.
    @Test(arguments: ["Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server", "Could not resolve host: nowhere.invalid"])
    func aConnectionThatFailsAfterTheRequestWasSentDoesNotMeanThatItWasNot(text: String) {
        let failure = SessionFailure(code: NSURLErrorUnknown, text: text)
        #expect(failure.error(phase: .waiting, hasHead: false).reach == .notSent)
        let sent = failure.error(phase: .waiting, hasHead: false, hasSent: true)
        #expect(sent.code == .connectionLost && sent.reach == .mayHaveActed)
    }
}
