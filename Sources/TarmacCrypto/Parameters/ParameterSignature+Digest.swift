#if Crypto
import Crypto

extension ParameterSignature.Algorithm {
    func digest(_ text: [UInt8], _ secret: SecretKey) -> [UInt8] {
        switch self {
        case .insecureMD5: Array(Insecure.MD5.hash(data: text))
        case .sha256: Array(SHA256.hash(data: text))
        case .hmacSHA256: Array(HMAC<SHA256>.authenticationCode(for: text, using: secret.symmetric))
        }
    }
}
#endif
