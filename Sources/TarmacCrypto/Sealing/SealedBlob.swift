#if Crypto
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The format of sealed bytes in a store or a parameter:
///
/// | bytes | what |
/// |---|---|
/// | 1 | version, 1 |
/// | 1 | algorithm: 1 AES-256-GCM, 2 ChaCha20-Poly1305 |
/// | 1 | length of the key id, 1…64 |
/// | n | key id, ASCII |
/// | 12 | nonce |
/// | … | ciphertext, as long as the plaintext |
/// | 16 | tag |
///
/// Authenticated with it, in this order: all bytes before the nonce, the label of its kind and a zero byte, the
/// context.
struct SealedBlob {
    static let version: UInt8 = 1
    /// The label of the kind, so that a blob of one kind cannot replace one of another.
    let label: String
    let keyring: Keyring
    var nonce: [UInt8]?

    func seal(_ plaintext: Bytes, context: [UInt8]) throws(TarmacError) -> Data {
        let key = keyring.current
        let head = [Self.version, key.algorithm.code, UInt8(key.id.utf8.count)] + Array(key.id.utf8)
        let box = try AEAD(key: key, nonce: nonce).seal(plaintext, authenticating: authenticated(head, context))
        var blob = Data(capacity: head.count + box.count)
        blob.append(contentsOf: head)
        blob.append(box)
        return blob
    }

    func open(_ blob: Data, context: [UInt8]) throws(TarmacError) -> Bytes {
        let (head, key) = try head(of: blob)
        return try AEAD(key: key).open(blob.dropFirst(head.count), authenticating: authenticated(head, context))
    }

    private func head(of blob: Data) throws(TarmacError) -> ([UInt8], SealingKey) {
        let start = [UInt8](blob.prefix(3))
        guard start.count == 3, start[0] == Self.version else { throw .unopenable("it does not begin as version \(Self.version) does") }
        guard let algorithm = SealingAlgorithm(code: start[1]) else { throw .unopenable("it names the algorithm \(start[1]), which is unknown") }
        let id = [UInt8](blob.dropFirst(3).prefix(Int(start[2])))
        let name = String(decoding: id, as: UTF8.self)
        guard id.count == Int(start[2]), SealingKey.isValid(name) else { throw .unopenable("its key id is malformed") }
        let key = try keyring.key(name)
        guard key.algorithm == algorithm else { throw .unopenable("its key is one for \(key.algorithm), and it names \(algorithm)") }
        return (start + id, key)
    }

    private func authenticated(_ head: [UInt8], _ context: [UInt8]) -> [UInt8] { head + Array(label.utf8) + [0] + context }
}
#endif
