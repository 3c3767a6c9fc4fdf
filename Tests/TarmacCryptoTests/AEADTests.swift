#if Crypto
import Tarmac
import Testing

@testable import TarmacCrypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Answers known from elsewhere: the ciphers are swift-crypto's, and what is checked is that they are used rightly.
@Suite("Ciphers")
struct AEADTests {
    /// The GCM specification's (McGrew, Viega) test cases 13, 14, 15 and 16: AES-256.
    static let gcm: [(key: String, nonce: String, plain: String, data: String, sealed: String)] = [
        (
            "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "", "",
            "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000000", "000000000000000000000000", "00000000000000000000000000000000", "",
            "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255", "",
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
            b094dac5d93471bdec1a502270e3cc6c
            """
        ),
        (
            "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", "cafebabefacedbaddecaf888",
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
            "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            """
            522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
            76fc6ece0f4e1768cddf8853bb2d551b
            """
        ),
    ]

    @Test(arguments: gcm)
    func aes256GCMGivesTheKnownAnswer(_ row: (key: String, nonce: String, plain: String, data: String, sealed: String)) throws {
        let key = try SealingKey("k", SecretKey(Hex.bytes(row.key)))
        let box = try AEAD(key: key, nonce: Hex.bytes(row.nonce)).seal(Bytes(Hex.bytes(row.plain)), authenticating: Hex.bytes(row.data))
        #expect(Array(box) == Hex.bytes(row.nonce) + Hex.bytes(row.sealed))
        #expect(try AEAD(key: key).open(box, authenticating: Hex.bytes(row.data)) == Bytes(Hex.bytes(row.plain)))
    }

    /// RFC 8439 §2.8.2.
    @Test func chaCha20Poly1305GivesTheKnownAnswer() throws {
        let key = try SealingKey("k", SecretKey(Array(UInt8(0x80)...0x9F)), algorithm: .chaCha20Poly1305)
        let text = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
        let nonce = Hex.bytes("07 00 00 00 40 41 42 43 44 45 46 47"), data = Hex.bytes("50515253c0c1c2c3c4c5c6c7")
        let box = try AEAD(key: key, nonce: nonce).seal(Bytes(text), authenticating: data)
        let sealed = Hex.bytes(
            """
            d31a8d34648e60db7b86afbc53ef7ec2 a4aded51296e08fea9e2b5a736ee62d6 3dbea45e8ca9671282fafb69da92728b
            1a71de0a9e060b2905d6a5b67ecd3b36 92ddbd7f2d778b8c9803aee328091b58 fab324e4fad675945585808b4831d7bc
            3ff4def08e4b7a9de576d26586cec64b 6116 1ae10b594f09e26a7e902ecbd0600691
            """)
        #expect(Array(box) == nonce + sealed)
        #expect(try AEAD(key: key).open(box, authenticating: data) == Bytes(text))
    }

    @Test(arguments: SealingAlgorithm.allCases)
    func oneBitAnywhereIsRefused(_ algorithm: SealingAlgorithm) throws {
        let aead = AEAD(key: try SealingKey("k", Known.secret, algorithm: algorithm))
        let box = try aead.seal(Bytes("runway 09"), authenticating: [1])
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(refusal("\(index)") { _ = try aead.open(changed, authenticating: [1]) }?.code == .decryptionFailed)
        }
        #expect(refusal { _ = try aead.open(box, authenticating: [2]) }?.code == .decryptionFailed)
    }

    @Test func everyCutIsRefused() throws {
        let aead = AEAD(key: try SealingKey("k", Known.secret))
        let box = try aead.seal(Bytes("runway 09"), authenticating: [])
        for length in 0..<box.count {
            #expect(refusal("\(length)") { _ = try aead.open(box.prefix(length), authenticating: []) }?.code == .decryptionFailed)
        }
    }

    @Test(arguments: SealingAlgorithm.allCases)
    func anyNumberOfBytesFliesThereAndBackWithAnotherNonceEachTime(_ algorithm: SealingAlgorithm) throws {
        let aead = AEAD(key: try SealingKey("k", Known.secret, algorithm: algorithm))
        for count in [0, 1, 15, 16, 17, 1_000, 100_000] {
            let plain = Bytes([UInt8](repeating: 7, count: count))
            let (one, two) = (try aead.seal(plain, authenticating: []), try aead.seal(plain, authenticating: []))
            #expect(one.count == count + 28)
            #expect(one.prefix(12) != two.prefix(12))
            #expect(try aead.open(one, authenticating: []) == plain)
        }
    }
}
#endif
