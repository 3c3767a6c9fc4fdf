/// A certificate that the client presents, and its private key. It is never printed.
///
/// A certificate that has expired and a password that is wrong fail the call before anything is sent, with
/// `TarmacError(.expiredClientIdentity)` and `TarmacError(.wrongIdentityPassword)`. A key that belongs to another certificate, and one that is
/// missing, are `TarmacError(.invalidOption)`.
public struct ClientIdentity: Hashable, Sendable, MaskedReflectable {
    @_spi(TarmacRooms) public enum Source: Hashable, Sendable {
        case pemFiles(certificate: String, key: String)
        case pem(certificate: Bytes, key: Bytes)
        case pkcs12(Bytes, password: String)
        case keychain(label: String)
        case held(HeldIdentity)
    }

    @_spi(TarmacRooms) public let source: Source

    @_spi(TarmacRooms) public init(source: Source) { self.source = source }

    /// Files in PEM form: the certificate chain, leaf first, and the private key. They are read again when they change. TarmacNIO only.
    public static func pemFiles(certificate: String, key: String) -> Self { Self(source: .pemFiles(certificate: certificate, key: key)) }

    /// Texts in PEM form: the certificate chain, leaf first, and the private key. TarmacNIO only.
    public static func pem(certificate: Bytes, key: Bytes) -> Self { Self(source: .pem(certificate: certificate, key: key)) }

    /// An archive with a certificate chain and its key (PKCS #12, RFC 7292), such as a file that ends in `.p12`.
    ///
    /// Take it from a source that you trust: over TarmacNIO, one without the certificate of its key ends the process.
    public static func pkcs12(_ archive: Bytes, password: String) -> Self { Self(source: .pkcs12(archive, password: password)) }

    public var description: String { "‹masked›" }
}

/// An identity of the platform, such as a `SecIdentity`. It is compared as an object.
// SAFETY: the platform's identities are immutable.
@_spi(TarmacRooms) public struct HeldIdentity: Hashable, @unchecked Sendable {
    public let object: AnyObject
    public init(_ object: AnyObject) { self.object = object }
    public static func == (one: Self, other: Self) -> Bool { one.object === other.object }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
