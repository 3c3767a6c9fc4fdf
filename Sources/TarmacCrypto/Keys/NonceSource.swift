#if Crypto
/// Where nonces and ids come from. The system's generator, but in tests that compare bytes: a nonce that comes twice
/// breaks what it is for.
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
    /// In lower-case hexadecimal.
    func text(bytes count: Int) -> String { make(count).hex }
}
#endif
