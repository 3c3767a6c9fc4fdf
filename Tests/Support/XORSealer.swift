import Tarmac
import TarmacCore

/// Hides bytes without any cryptography, and refuses what was sealed for another context, or under a key it has not.
struct XORSealer: Sealer {
    /// Seals under the first, opens under all.
    var keys: [UInt8] = [0xA5]

    func seal(_ plaintext: Bytes, context: Bytes) throws -> Bytes {
        let key = keys[0]
        let mark = Bytes(context.array.map { $0 ^ 0x5A })
        return Bytes([key, UInt8(truncatingIfNeeded: mark.count)] + mark.array + plaintext.array.map { $0 ^ key })
    }

    func open(_ sealed: Bytes, context: Bytes) throws -> Bytes {
        let bytes = sealed.array
        guard let key = bytes.first, keys.contains(key) else { throw TarmacError(.unknownKey, "the key is gone") }
        let length = bytes.count > 1 ? Int(bytes[1]) : 0
        guard bytes.count >= length + 2, bytes[2..<length + 2].elementsEqual(context.array.map { $0 ^ 0x5A }) else {
            throw TarmacError(.decryptionFailed, "sealed for another context")
        }
        return Bytes(bytes[(length + 2)...].map { $0 ^ key })
    }
}
