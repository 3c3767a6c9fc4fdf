#if Crypto
import Crypto
public import TarmacTransfer

extension Digesters {
    /// Computes digests with swift-crypto, which uses the processor's instructions and is several times as fast as
    /// ``Digesters/builtIn``.
    ///
    /// ```swift
    /// let client = Client(transport: .asyncHTTPClient) { $0.digesters = .crypto }
    /// ```
    public static let crypto = Digesters { algorithm in
        switch algorithm {
        case .sha256: CryptoDigester(SHA256())
        case .sha512: CryptoDigester(SHA512())
        case .sha1: CryptoDigester(Insecure.SHA1())
        }
    }
}

private struct CryptoDigester<Function: HashFunction>: Digester {
    private var function: Function
    init(_ function: Function) { self.function = function }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { function.update(bufferPointer: bytes) }
    mutating func finish() -> [UInt8] { Array(function.finalize()) }
}
#endif
