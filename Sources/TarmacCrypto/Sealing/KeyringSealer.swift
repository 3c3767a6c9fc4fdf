#if Crypto
public import TarmacCore

/// Seals at rest with the keys of a keyring: what a store keeps on disk.
///
/// Nothing is lost when the keyring rotates, as long as the older key stays in it; what is written again is sealed with the
/// current one.
public struct KeyringSealer: Sealer {
    private let blob: SealedBlob

    public init(_ keyring: Keyring) { self.init(keyring, nonce: nil) }

    package init(_ keyring: Keyring, nonce: [UInt8]?) { blob = SealedBlob(label: "tarmac at rest", keyring: keyring, nonce: nonce) }

    public func seal(_ plaintext: Bytes, context: Bytes) throws(TarmacError) -> Bytes {
        Bytes(try blob.seal(plaintext, context: context.array))
    }

    public func open(_ sealed: Bytes, context: Bytes) throws(TarmacError) -> Bytes {
        try blob.open(sealed.data, context: context.array)
    }
}
#endif
