#if Crypto
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Keys")
struct KeyringTests {
    @Test func keysAreReadFromBytesTextAndBase64() throws {
        #expect(try SecretKey(base64: " AAECAw==\n") == SecretKey([0, 1, 2, 3] as [UInt8]))
        #expect(SecretKey(utf8: "ab") == SecretKey([97, 98] as [UInt8]))
        #expect(SecretKey.random() != SecretKey.random())
        #expect(SecretKey.random().byteCount == 32)
    }

    @Test(arguments: ["", "not base64!", "AAE", "{}"])
    func whatIsNoBase64IsRefusedWithoutBeingRepeated(_ text: String) {
        let error = refusal { _ = try SecretKey(base64: text) }
        #expect(error?.code == .invalidOption)
        #expect(text.isEmpty || error?.description.contains(text) == false)
    }

    @Test(arguments: ["", "a b", "a\"", "ключ", String(repeating: "a", count: 65), "a\n"])
    func aMalformedIDIsRefused(_ id: String) {
        #expect(refusal { _ = try SealingKey(id, Known.secret) }?.code == .invalidOption)
    }

    @Test(arguments: [0, 16, 31, 33, 64])
    func aKeyOfAnotherSizeIsRefused(_ count: Int) {
        #expect(refusal { _ = try SealingKey("k", SecretKey([UInt8](repeating: 1, count: count))) }?.code == .invalidOption)
    }

    @Test func aRotationSealsWithTheNewKeyAndOpensWithBoth() throws {
        let keys = try Known.keyring()
        let sealer = KeyringSealer(keys)
        let old = try sealer.seal(Bytes("one"), context: Bytes("row"))
        try keys.rotate(to: SealingKey("k2", Known.other, algorithm: .chaCha20Poly1305))
        let new = try sealer.seal(Bytes("two"), context: Bytes("row"))
        #expect(keys.ids == ["k2", "k1"])
        #expect(try sealer.open(old, context: Bytes("row")) == Bytes("one"))
        #expect(try sealer.open(new, context: Bytes("row")) == Bytes("two"))
        keys.remove("k1")
        let gone = refusal { _ = try sealer.open(old, context: Bytes("row")) }
        #expect(gone?.code == .unknownKey)
        #expect(gone?.reason.contains("\"k1\"") == true)
        keys.remove("k2")
        #expect(keys.ids == ["k2"], "the current key stays")
    }

    @Test func twoKeysOfOneIDAreRefused() throws {
        let first = try SealingKey("k", Known.secret), second = try SealingKey("k", Known.other)
        #expect(refusal { _ = try Keyring(current: first, older: [second]) }?.code == .invalidOption)
        let keys = try Keyring(current: first)
        #expect(refusal { try keys.rotate(to: second) }?.code == .invalidOption)
        try keys.rotate(to: first)
        #expect(keys.ids == ["k"])
    }

    /// A rotation back, as when a new key has to be withdrawn.
    @Test func anOlderKeyCanBeMadeTheCurrentOneAgain() throws {
        let (one, two) = (try SealingKey("1", Known.secret), try SealingKey("2", Known.other))
        let keys = try Keyring(current: one)
        try keys.rotate(to: two)
        try keys.rotate(to: one)
        #expect(keys.ids == ["1", "2"])
    }

    // MARK: Sealing at rest

    @Test func theFormAtRestIsAsDocumented() throws {
        let nonce = [UInt8](repeating: 9, count: 12)
        let sealed = try KeyringSealer(try Known.keyring(id: "k-1"), nonce: nonce).seal(Bytes("plain"), context: Bytes("ctx"))
        let bytes = sealed.array
        #expect(Array(bytes.prefix(6)) == [1, 1, 3] + Array("k-1".utf8))
        #expect(Array(bytes[6..<18]) == nonce)
        #expect(bytes.count == 6 + 12 + 5 + 16)
        let data = Array(bytes.prefix(6)) + Array("tarmac at rest\0ctx".utf8)
        #expect(try AEAD(key: SealingKey("k-1", Known.secret)).open(Data(bytes[6...]), authenticating: data) == Bytes("plain"))
    }

    @Test func whatWasSealedForOneContextIsNoGoodInAnother() throws {
        let sealer = KeyringSealer(try Known.keyring())
        let sealed = try sealer.seal(Bytes("plain"), context: Bytes("cookies/1"))
        #expect(refusal { _ = try sealer.open(sealed, context: Bytes("cookies/2")) }?.code == .decryptionFailed)
    }

    @Test func everyChangedByteAtRestIsRefused() throws {
        let sealer = KeyringSealer(try Known.keyring(older: [SealingKey("j1", Known.secret)]))
        let sealed = try sealer.seal(Bytes("plain"), context: .empty).array
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << bit
                let code = refusal("byte \(index), bit \(bit)") { _ = try sealer.open(Bytes(changed), context: .empty) }?.code
                #expect(code == .decryptionFailed || code == .unknownKey)
            }
        }
        for length in sealed.indices {
            #expect(refusal("\(length)") { _ = try sealer.open(Bytes(Array(sealed.prefix(length))), context: .empty) } != nil)
        }
    }
}
#endif
