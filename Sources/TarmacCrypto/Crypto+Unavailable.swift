#if !Crypto
/// The keys of TarmacCrypto, which need the trait Crypto.
@available(*, unavailable, message: "enable the trait Crypto of the package tarmac")
public final class Keyring {}

@available(*, unavailable, message: "enable the trait Crypto of the package tarmac")
public struct SecretKey {}
#endif
