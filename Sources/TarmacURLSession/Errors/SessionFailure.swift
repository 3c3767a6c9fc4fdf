import Foundation
package import TarmacCore

/// The parts of the error that `URLSession` reports for a failed task.
package struct SessionFailure {
    let domain: String
    let code: Int
    let text: String
    /// The number of the socket's error on Apple platforms.
    var socketError: Int?
    /// Whether the text is one of libcurl. Otherwise, it is in the user's language and decides nothing.
    var hasCurlText = Platform.namesFailuresByText

    init(domain: String = NSURLErrorDomain, code: Int, text: String) {
        self.domain = domain
        self.code = code
        self.text = text
    }

    package init(_ error: any Error) {
        let error = foundationError(error)
        let text = error.userInfo[NSLocalizedDescriptionKey] as? String
        self.init(domain: error.domain, code: error.code, text: text ?? "error \(error.code) of \(error.domain)")
        if error.userInfo["_kCFStreamErrorDomainKey"] as? Int == 1 { socketError = error.userInfo["_kCFStreamErrorCodeKey"] as? Int }
    }

    /// Whether the task was cancelled, by the app or by the user who closed it.
    package var isCancellation: Bool { domain == NSURLErrorDomain && code == NSURLErrorCancelled }

    /// Returns the error to throw. libcurl's text decides if it is known, and the code otherwise.
    ///
    /// - Parameter hasSent: whether a part of the request body has left. A connection that fails afterwards is a second one: libcurl
    ///   opened it because the first was lost, after the server may have acted on the request.
    package func error(phase: TarmacError.Phase, hasHead: Bool, hasSent: Bool = false, cause: (any Error)? = nil) -> TarmacError {
        let found = (hasCurlText ? CurlTexts.match(text, hasHead: hasHead) : nil) ?? byCode(phase: phase)
        if hasSent, (found.phase ?? phase) == .connecting { return TarmacError(.connectionLost, phase: .waiting, text, cause: cause) }
        return TarmacError(found.code, phase: found.phase ?? phase, text, cause: cause)
    }

    /// A code, with the phase if the code implies one.
    struct Finding: Equatable {
        let code: TarmacError.Code
        var phase: TarmacError.Phase?
    }

    private func byCode(phase: TarmacError.Phase) -> Finding {
        if domain == Self.networkDomain, Self.proxyCodes.contains(code) { return Finding(code: .proxyFailed, phase: .connecting) }
        guard domain == NSURLErrorDomain else { return Finding(code: .transportFailed) }
        if code == NSURLErrorTimedOut {
            return Finding(code: phase == .receiving ? .idleTimeout : .connectTimeout)
        }
        if code == NSURLErrorCannotConnectToHost, let socketError, Self.missingNetwork.contains(socketError) {
            return Finding(code: .connectionFailed, phase: .connecting)
        }
        return Self.codes[code] ?? Finding(code: .transportFailed)
    }

    private static let networkDomain = "kCFErrorDomainCFNetwork"
    /// From `kCFErrorHTTPProxyConnectionFailure` to `kCFStreamErrorHTTPSProxyFailureUnexpectedResponseToCONNECTMethod`.
    private static let proxyCodes = 306...311
    /// `ENETDOWN` and `ENETUNREACH` of Darwin: there was no way to any host.
    private static let missingNetwork = 50...51

    private static let codes: [Int: Finding] = [
        NSURLErrorCannotFindHost: Finding(code: .cannotFindHost, phase: .connecting),
        NSURLErrorDNSLookupFailed: Finding(code: .cannotFindHost, phase: .connecting),
        NSURLErrorCannotConnectToHost: Finding(code: .connectionRefused, phase: .connecting),
        NSURLErrorNotConnectedToInternet: Finding(code: .connectionFailed, phase: .connecting),
        NSURLErrorInternationalRoamingOff: Finding(code: .connectionFailed, phase: .connecting),
        NSURLErrorDataNotAllowed: Finding(code: .connectionFailed, phase: .connecting),
        NSURLErrorNetworkConnectionLost: Finding(code: .connectionLost),
        NSURLErrorAppTransportSecurityRequiresSecureConnection: Finding(code: .insecureHTTP, phase: .building),
        NSURLErrorBackgroundSessionRequiresSharedContainer: Finding(code: .invalidOption, phase: .building),
        NSURLErrorBackgroundSessionInUseByAnotherProcess: Finding(code: .connectionFailed, phase: .connecting),
        NSURLErrorBackgroundSessionWasDisconnected: Finding(code: .connectionLost),
        NSURLErrorSecureConnectionFailed: Finding(code: .tlsHandshakeFailed, phase: .connecting),
        NSURLErrorServerCertificateHasBadDate: Finding(code: .expiredCertificate, phase: .connecting),
        NSURLErrorServerCertificateNotYetValid: Finding(code: .notYetValidCertificate, phase: .connecting),
        NSURLErrorServerCertificateUntrusted: Finding(code: .untrustedCertificate, phase: .connecting),
        NSURLErrorServerCertificateHasUnknownRoot: Finding(code: .untrustedCertificate, phase: .connecting),
        NSURLErrorClientCertificateRejected: Finding(code: .clientCertificateRequired, phase: .connecting),
        NSURLErrorClientCertificateRequired: Finding(code: .clientCertificateRequired, phase: .connecting),
        NSURLErrorBadServerResponse: Finding(code: .malformedResponse),
        NSURLErrorCannotParseResponse: Finding(code: .malformedResponse),
        NSURLErrorZeroByteResource: Finding(code: .malformedResponse),
        NSURLErrorCannotDecodeRawData: Finding(code: .undecodableContent, phase: .receiving),
        NSURLErrorCannotDecodeContentData: Finding(code: .undecodableContent, phase: .receiving),
        NSURLErrorBadURL: Finding(code: .invalidURL, phase: .building),
        NSURLErrorUnsupportedURL: Finding(code: .invalidURL, phase: .building),
        NSURLErrorFileDoesNotExist: Finding(code: .unreadableFile, phase: .sending),
        NSURLErrorNoPermissionsToReadFile: Finding(code: .unreadableFile, phase: .sending),
    ]
}
