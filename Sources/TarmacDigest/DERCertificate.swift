/// The parts of an X.509 certificate (RFC 5280 §4.1) for pins and errors, read from its DER. Nothing is
/// verified.
package struct DERCertificate: Sendable, Hashable {
    /// The maximum size in bytes. No certificate of a TLS server is larger.
    static let sizeLimit = 1 << 18

    /// The whole certificate.
    package let bytes: [UInt8]
    /// The SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), from which key pins are made.
    package let publicKey: [UInt8]
    /// Whether the certificate names itself as its issuer.
    package let isSelfIssued: Bool
    /// The period of validity, in seconds since 1970. `nil` if a time is malformed.
    package let validity: ClosedRange<Int64>?

    /// Parses a certificate. `nil` if the bytes are not exactly one certificate.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.sizeLimit else { return nil }
        var outer = DERReader(bytes)
        guard let certificate = outer.next(DERReader.Tag.sequence), outer.isAtEnd else { return nil }
        var parts = DERReader(bytes, certificate.content)
        // RFC 5280 §4.1: the signed part, the algorithm, the signature.
        guard let signed = parts.next(DERReader.Tag.sequence), parts.next(DERReader.Tag.sequence) != nil, parts.next() != nil, parts.isAtEnd
        else { return nil }
        guard let fields = Fields(bytes, signed.content) else { return nil }
        self.bytes = bytes
        publicKey = Array(bytes[fields.publicKey])
        isSelfIssued = bytes[fields.issuer] == bytes[fields.subject]
        validity = DERTime.validity(in: bytes, fields.validity)
    }

    /// The fields of RFC 5280 §4.1.2, in order.
    private struct Fields {
        let issuer: Range<Int>
        let validity: Range<Int>
        let subject: Range<Int>
        let publicKey: Range<Int>

        init?(_ bytes: [UInt8], _ range: Range<Int>) {
            var reader = DERReader(bytes, range)
            if reader.nextTag == DERReader.Tag.version, reader.next() == nil { return nil }
            guard reader.next(DERReader.Tag.integer) != nil, reader.next(DERReader.Tag.sequence) != nil,
                let issuer = reader.next(DERReader.Tag.sequence), let validity = reader.next(DERReader.Tag.sequence),
                let subject = reader.next(DERReader.Tag.sequence), let key = reader.next(DERReader.Tag.sequence)
            else { return nil }
            self.issuer = issuer.content
            self.validity = validity.content
            self.subject = subject.content
            publicKey = key.whole
        }
    }
}
