/// What a server showed that none of its pins fits. It is the `cause` of a `.pinMismatch` error and comes with the event of
/// that name.
public struct PinReport: Error, Hashable, Sendable, CustomStringConvertible {
    /// A certificate the server showed, or one that vouches for it.
    public struct Certificate: Hashable, Sendable {
        /// The pin of its key.
        public let key: Pin
        /// The pin of the certificate.
        public let certificate: Pin
    }

    /// The host that was called.
    public private(set) var host: String
    /// What was seen, the server's own first, then those that vouch for it up to the root. Copy a pin from here only when
    /// you are certain that it was the right server: whoever is in between shows his own.
    public let presented: [Certificate]
    /// The pins there are for the host.
    public let expected: [Pin]
    /// Why the certificates above the server's own could not be looked at; `nil` when they were, or did not count.
    public let limitation: String?

    package init(host: String, presented: [DERCertificate], expected: [Pin], limitation: String? = nil) {
        self.host = host
        self.presented = presented.map { Certificate(key: Pin(.key, of: $0), certificate: Pin(.certificate, of: $0)) }
        self.expected = expected
        self.limitation = limitation
    }

    /// In words, with the keys that were seen.
    public var description: String {
        let keys = presented.map(\.key.description).joined(separator: ", ")
        let seen = presented.isEmpty ? "it showed no certificate" : "it showed the keys \(keys)"
        return "none of the \(expected.count) pins of \(host) is among the certificates of the server: \(seen)" + (limitation.map { "; \($0)" } ?? "")
    }

    /// A connection knows its pin set alone; which of the hosts it is for, the request knows.
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
