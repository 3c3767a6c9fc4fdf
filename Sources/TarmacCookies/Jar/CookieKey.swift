/// The properties that identify a cookie (RFC 6265bis §5.7.3 step 23).
///
/// Texts are compared byte by byte, because canonically equivalent texts are different names.
package struct CookieKey: Hashable, Sendable {
    package let domain: String
    package let path: String
    package let name: String
    package let isHostOnly: Bool

    package init(_ cookie: Cookie) { (domain, path, name, isHostOnly) = (cookie.domain, cookie.path, cookie.name, cookie.isHostOnly) }

    package static func == (one: CookieKey, other: CookieKey) -> Bool {
        one.isHostOnly == other.isHostOnly && one.name.utf8.elementsEqual(other.name.utf8) && one.domain == other.domain
            && one.path.utf8.elementsEqual(other.path.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(domain)
        path.hashBytes(into: &hasher)
        name.hashBytes(into: &hasher)
        hasher.combine(isHostOnly)
    }
}

/// A name of cookies at and below a domain.
struct CookieFamily: Hashable {
    let domain: String
    let name: String

    static func == (one: CookieFamily, other: CookieFamily) -> Bool {
        one.name.utf8.elementsEqual(other.name.utf8) && one.domain == other.domain
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(domain)
        name.hashBytes(into: &hasher)
    }
}

extension String {
    /// Two texts with different bytes may be equal as Swift compares them, so their bytes are hashed.
    fileprivate func hashBytes(into hasher: inout Hasher) {
        if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in utf8 { hasher.combine(byte) }
        }
        hasher.combine(0xFF as UInt8)
    }
}
