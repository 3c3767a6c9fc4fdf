#if Crypto
/// The source of nonces and ids: the system's generator, except in tests that compare bytes, because a repeated nonce
/// breaks the encryption.
package struct NonceSource: Sendable {
    private let make: @Sendable (Int) -> [UInt8]

    package init(_ make: @escaping @Sendable (Int) -> [UInt8]) { self.make = make }

    package static let system = NonceSource { count in
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    func bytes(_ count: Int) -> [UInt8] { make(count) }
    /// Returns random bytes in lower-case hexadecimal.
    func text(bytes count: Int) -> String { make(count).hex }
}
#endif
