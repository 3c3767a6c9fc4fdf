import Testing

import Tarmac
import TarmacDigest
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTransfer

/// The examples of FIPS 180-4, and every length around a block.
@Suite("Digests")
struct DigesterTests {
    static let vectors: [(DigestAlgorithm, String, String)] = [
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (
            .sha512, "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            .sha512, "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ]

    @Test(arguments: vectors)
    func theyAreThoseOfTheStandard(algorithm: DigestAlgorithm, text: String, digest: String) {
        #expect(Hexadecimal.text(Digesters.builtIn.digest(Bytes(text), algorithm)) == digest)
    }

    /// Over the digests of "a" repeated 0 to 260 times, computed with Python's hashlib.
    @Test(arguments: [
        (DigestAlgorithm.sha256, "bb1d6350a010747691407a8d005ae593c312035fffd871290fbf5832f7c828ef"),
        (.sha512, "f468bca9f4a756dcf44c686a6ac7b40fbcd67a1aa503c67f4a84364b5c14e3ce65b08933a1e0e41cd3e0d938d3ac343f4c73a664788df895ce09bd3de0f9c50a"),
        (.sha1, "8f060e5ceb0aca67ee63d585732bc2e9b17f68e7"),
    ])
    func everyLengthAroundABlockIsRight(algorithm: DigestAlgorithm, digest: String) {
        var all = Digesters.builtIn.make(algorithm)
        for count in 0...260 {
            Digesters.builtIn.digest(Bytes([UInt8](repeating: 97, count: count)), algorithm).withUnsafeBytes { all.update($0) }
        }
        #expect(Hexadecimal.text(all.finish()) == digest)
    }

    @Test(arguments: DigestAlgorithm.allCases)
    func howTheBytesAreCutMakesNoDifference(algorithm: DigestAlgorithm) {
        let bytes = noise(2000), whole = Digesters.builtIn.digest(Bytes(bytes), algorithm)
        for size in [1, 3, 63, 64, 65, 127, 128, 129, 1999] {
            var digester = Digesters.builtIn.make(algorithm)
            for start in stride(from: 0, to: bytes.count, by: size) {
                Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes { digester.update($0) }
            }
            #expect(digester.finish() == whole)
        }
    }
}
