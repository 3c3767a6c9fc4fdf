#if NIO
import NIOSSL
package import TarmacCore

/// Converts errors of TLS to codes. BoringSSL reports most of them only in the text of its errors.
package enum TLSErrorMapping {
    /// Returns the code and the reason, or `nil` if the connection only closed.
    static func judge(_ error: any Error, _ stage: WireStage) -> (TarmacError.Code, String)? {
        switch error {
        case let error as NIOSSLExtraError: extra(error)
        case let error as NIOSSLError: judge(error, stage)
        case let error as BoringSSLError: judge(error, stage)
        default: nil
        }
    }

    private static func extra(_ error: NIOSSLExtraError) -> (TarmacError.Code, String) {
        if error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch {
            return (.hostnameMismatch, "the server's certificate is for another host")
        }
        return (.tlsHandshakeFailed, "TLS failed: \(error)")
    }

    private static func judge(_ error: NIOSSLError, _ stage: WireStage) -> (TarmacError.Code, String)? {
        switch error {
        case .handshakeFailed(let cause): judge(cause, stage)
        case .shutdownFailed, .uncleanShutdown, .writeDuringTLSShutdown:
            stage.isAttached ? nil : (.tlsHandshakeFailed, "the server closed the connection during the TLS handshake")
        case .unableToValidateCertificate, .noCertificateToValidate:
            (.untrustedCertificate, "the server's certificate is not trusted")
        default: stage.isAttached ? nil : (.tlsHandshakeFailed, "TLS failed: \(error)")
        }
    }

    private static func judge(_ error: BoringSSLError, _ stage: WireStage) -> (TarmacError.Code, String)? {
        switch error {
        case .sslError(let stack), .unknownError(let stack): judge(text: String(describing: stack), stage)
        case .zeroReturn, .syscallError:
            stage.isAttached ? nil : (.tlsHandshakeFailed, "the server closed the connection during the TLS handshake")
        default: stage.isAttached ? nil : (.tlsHandshakeFailed, "TLS failed: \(error)")
        }
    }

    /// Returns `nil` for an alert or a damaged record after the handshake: the request may have been sent. In TLS 1.3,
    /// a server refuses the client's certificate only then, and instead of the response (RFC 8446 §4.4).
    private static func judge(text: String, _ stage: WireStage) -> (TarmacError.Code, String)? {
        let judgement = judge(text: text)
        guard stage.isAttached else { return judgement }
        let isRefusal = judgement.0 == .clientCertificateRequired || text.contains("ALERT_HANDSHAKE_FAILURE")
        return isRefusal && !stage.hasHead ? judgement : nil
    }

    /// Whether the server ended the handshake without a reason.
    static func isUnexplainedRefusal(_ error: TarmacError) -> Bool {
        guard error.code == .tlsHandshakeFailed, let cause = error.cause else { return false }
        return String(describing: cause).contains("ALERT_HANDSHAKE_FAILURE")
    }

    private static let certificateAlerts = [
        "BAD_CERTIFICATE", "UNSUPPORTED_CERTIFICATE", "CERTIFICATE_REVOKED", "CERTIFICATE_EXPIRED", "CERTIFICATE_UNKNOWN", "UNKNOWN_CA",
    ]

    /// Returns the code for a text with the reason codes of BoringSSL (`ssl.h`, `SSL_R_…`) from an error stack.
    package static func judge(text: String) -> (TarmacError.Code, String) {
        if text.contains("CERTIFICATE_REQUIRED") {
            return (.clientCertificateRequired, "the server asks for a client certificate")
        }
        // RFC 8446 §6.2: the server sends an alert about a certificate for the client's certificate.
        if let alert = certificateAlerts.first(where: { text.contains("ALERT_" + $0) }) {
            return (.clientCertificateRequired, "the server does not take the client certificate (\(alert.lowercased()))")
        }
        if text.contains("CERTIFICATE_EXPIRED") || text.contains("certificate has expired") {
            return (.expiredCertificate, "the server's certificate has expired")
        }
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return (.untrustedCertificate, "the server's certificate is not trusted")
        }
        if text.contains("ALERT_PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
            return (.tlsHandshakeFailed, "the TLS handshake failed: the server speaks no TLS from 1.2 on")
        }
        // A server without TLS answers in plain text or closes the connection.
        if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") || text.contains("EOF during handshake") {
            return (.tlsHandshakeFailed, "the TLS handshake failed: the server does not answer in TLS, or closed the connection")
        }
        return (.tlsHandshakeFailed, "the TLS handshake failed: \(text.prefix(200))")
    }
}
#endif
