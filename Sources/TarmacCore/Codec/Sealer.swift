/// Encrypts what a store keeps on disk. `KeyringSealer` of TarmacCrypto does it with AES-256-GCM or ChaCha20-Poly1305.
///
/// Keep keys out of `description`.
public protocol Sealer: Sendable {
    /// The bytes to keep. The same plaintext gives other bytes each time.
    ///
    /// - Parameter context: what the bytes are, such as store, table and row. It is not kept, and ``open(_:context:)``
    ///   needs the same: what was sealed for one place cannot be moved to another.
    func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes

    /// What was sealed.
    ///
    /// Throws `TarmacError` with `.decryptionFailed` for bytes that are damaged, were changed, or were sealed for another
    /// context, and with `.unknownKey` for a key that is gone.
    func open(_ sealed: Bytes, context: Bytes) throws -> Bytes
}
