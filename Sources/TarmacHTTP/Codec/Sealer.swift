/// Encrypts the data that a store keeps on disk. `KeyringSealer` of TarmacCrypto uses AES-256-GCM or
/// ChaCha20-Poly1305.
///
/// A `description` must not reveal keys.
public protocol Sealer: Sendable {
    /// Returns the encrypted bytes. Each call returns other bytes for the same plaintext.
    ///
    /// `context` states the purpose of the bytes, such as store, table and row. It is not stored, and
    /// ``open(_:context:)`` needs the same value, so encrypted bytes cannot be moved to another place.
    func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes

    /// Returns the plaintext of encrypted bytes.
    ///
    /// - Throws: `TarmacError` with `.decryptionFailed` for bytes that are damaged, were changed or were
    ///   encrypted for another context, and with `.unknownKey` for a key that no longer exists.
    func open(_ sealed: Bytes, context: Bytes) throws -> Bytes
}
