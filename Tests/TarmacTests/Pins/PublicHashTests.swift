import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacDigest
import Testing

/// Against the examples of NIST (FIPS 180-4, CAVP SHA256ShortMsg and the million letters) and openssl.
struct PublicHashTests {
    static let vectors: [(message: String, hash: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test(arguments: vectors.indices) func hashIsThatOfTheStandard(_ index: Int) {
        #expect(hex(PublicHash.hash(Self.vectors[index].message.utf8)) == Self.vectors[index].hash)
    }

    /// Around the end of a block the padding takes another one. Checksum of the hashes of 0 to 130 times `a`, by Python's hashlib.
    @Test func everyLengthIsPadded() {
        let hashes = (0...130).flatMap { PublicHash.hash(repeatElement(UInt8(ascii: "a"), count: $0)) }
        #expect(hex(PublicHash.hash(hashes)) == "f908a43fc8456c583aacde0fb2627959f8513dc76d0c03979b7f945a7dd78f22")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
