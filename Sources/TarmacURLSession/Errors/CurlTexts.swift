import TarmacCore

/// Identifies libcurl's failures by their text. On Linux, most of them have the same number (−1).
///
/// The texts are those of libcurl 7.88 with OpenSSL 3. For an unknown text, the number decides.
enum CurlTexts {
    static func match(_ text: String, hasHead: Bool) -> SessionFailure.Finding? {
        for row in rows where text.contains(row.text) {
            return row.finding
        }
        // For a header line above 100 KiB, libcurl reports that memory ran out.
        if text == "Out of memory", !hasHead { return headers }
        return nil
    }

    private struct Row {
        let text: String
        let finding: SessionFailure.Finding
    }

    private static let headers = SessionFailure.Finding(code: .headersTooLarge, phase: .waiting)

    // The first row that matches is used, so specific texts come before general ones.
    private static let rows: [Row] =
        table(
            .connecting,
            [
                ("certificate has expired", .expiredCertificate),
                ("certificate is not yet valid", .notYetValidCertificate),
                ("no alternative certificate subject name matches", .hostnameMismatch),
                ("does not match target host name", .hostnameMismatch),
                ("self-signed certificate in certificate chain", .untrustedCertificate),
                ("SSL certificate problem: self-signed certificate", .selfSignedCertificate),
                ("SSL certificate problem: self signed certificate", .selfSignedCertificate),
                ("SSL certificate problem", .untrustedCertificate),
                ("alert certificate required", .clientCertificateRequired),
                ("alert bad certificate", .clientCertificateRequired),
                ("Could not resolve host", .cannotFindHost),
                ("Could not resolve proxy", .proxyFailed),
                ("CONNECT tunnel failed", .proxyFailed),
                ("Proxy CONNECT aborted", .proxyFailed),
                ("SOCKS", .proxyFailed),
                ("Failed to connect to", .connectionRefused),
            ])
        + table(
            nil,
            [
                // Behind the handshake: the server may have acted on the request.
                ("OpenSSL SSL_read", .connectionLost), ("OpenSSL SSL_write", .connectionLost),
                ("unexpected eof while reading", .connectionLost),
            ])
        + table(
            .connecting,
            [
                ("SSL_ERROR_SYSCALL", .tlsHandshakeFailed), ("OpenSSL", .tlsHandshakeFailed),
                ("error:0A", .tlsHandshakeFailed), ("SSL", .tlsHandshakeFailed),
            ])
        + table(
            .receiving,
            [
                ("bytes remaining to read", .truncatedBody),
                ("outstanding read data remaining", .truncatedBody),
                ("content unencoding", .undecodableContent),
                // Foundation takes every byte, so libcurl has bytes behind the end of a coding.
                ("Failed writing received data", .undecodableContent),
                ("Failed reading the chunked-encoded stream", .undecodableContent),
                ("Unrecognized content encoding", .undecodableContent),
                ("Unrecognized or bad HTTP Content", .undecodableContent),
                ("content encodings", .undecodableContent),
                ("chunked-encoding", .malformedResponse),
                ("chunk hex-length", .malformedResponse),
            ])
        + table(
            .waiting,
            [
                ("Too large response headers", .headersTooLarge),
                ("Too long header", .headersTooLarge),
                ("Received HTTP/0.9", .malformedResponse),
                ("in HTTP response", .malformedResponse),
                ("version in response", .malformedResponse),
                ("Unsupported HTTP version", .malformedResponse),
                ("Failed writing header", .malformedResponse),
                ("Header without colon", .malformedResponse),
                ("Nul byte in header", .malformedResponse),
                ("Invalid Content-Length", .malformedResponse),
                ("Weird server reply", .malformedResponse),
                ("Empty reply from server", .connectionLost),
            ])
        + table(
            nil,
            [
                ("Connection reset", .connectionLost), ("Recv failure", .connectionLost),
                ("Send failure", .connectionLost), ("was not closed cleanly", .connectionLost),
                ("HTTP/2 stream", .connectionLost), ("Broken pipe", .connectionLost),
            ])

    private static func table(
        _ phase: TarmacError.Phase?, _ texts: [(text: String, code: TarmacError.Code)]
    ) -> [Row] {
        texts.map { Row(text: $0.text, finding: SessionFailure.Finding(code: $0.code, phase: phase)) }
    }
}
