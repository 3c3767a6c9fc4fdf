#if !Crypto
/// The keys of TarmacCrypto; without them nothing else of it can be used.
@available(*, unavailable, message: "enable the trait Crypto of the package tarmac")
public final class Keyring {}

@available(*, unavailable, message: "enable the trait Crypto of the package tarmac")
public struct SecretKey {}
#endif
