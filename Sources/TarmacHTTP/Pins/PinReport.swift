package import TarmacDigest

/// The certificates of a server that match no pin. The report is the `cause` of a `.pinMismatch` error and is
/// part of the event of the same name.
public struct PinReport: Error, Hashable, Sendable, CustomStringConvertible {
    /// A certificate of the server or of one of its issuers.
    public struct Certificate: Hashable, Sendable {
        /// The pin of its key.
        public let key: Pin
        /// The pin of the certificate.
        public let certificate: Pin
    }

    /// The requested host.
    public private(set) var host: String
    /// The certificates of the server: its own first, then its issuers up to the root.
    ///
    /// Copy a pin from here only if you are certain that it is the right server: an attacker between presents
    /// certificates of their own.
    public let presented: [Certificate]
    /// The pins of the host.
    public let expected: [Pin]
    /// The reason why the certificates of the issuers could not be checked. `nil` if they were checked or do
    /// not count.
    public let limitation: String?

    package init(host: String, presented: [DERCertificate], expected: [Pin], limitation: String? = nil) {
        self.host = host
        self.presented = presented.map { Certificate(key: Pin(.key, of: $0), certificate: Pin(.certificate, of: $0)) }
        self.expected = expected
        self.limitation = limitation
    }

    /// The report in words, with the keys that the server presented.
    public var description: String {
        let keys = presented.map(\.key.description).joined(separator: ", ")
        let seen = presented.isEmpty ? "it showed no certificate" : "it showed the keys \(keys)"
        return "none of the \(expected.count) pins of \(host) is among the certificates of the server: \(seen)" + (limitation.map { "; \($0)" } ?? "")
    }

    /// Returns the report for one host of the pin set. A connection knows only its pin set; the request knows
    /// the host.
    package func naming(_ host: String) -> PinReport {
        var report = self
        report.host = host
        return report
    }

    package var error: TarmacError {
        TarmacError(
            .pinMismatch, phase: .connecting, description,
            suggestion: "if the server's key was changed as planned, update the pins of \(host); if not, somebody is in between", cause: self)
    }
}
