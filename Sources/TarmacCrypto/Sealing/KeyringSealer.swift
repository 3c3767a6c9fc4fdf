#if Crypto
public import TarmacCore

/// Seals stored data with the keys of a keyring.
///
/// Data stays readable after a rotation as long as the keyring has the older key. Data that is written again is sealed
/// with the current key.
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
