import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

struct ValidUTF8Tests {
    @Test(arguments: ["", "plain", "größer", "飞行", "👩‍👩‍👧", "\u{FFFD}", "\0", "e\u{301}"])
    func validBytesAreTheirText(_ text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { String(validUTF8: $0) }.map { Array($0.utf8) } == Array(text.utf8))
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xFF, 0x62],
            [0xFE, 0xBF, 0xBD],
        ] as [[UInt8]])
    func invalidBytesAreNoText(_ bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { String(validUTF8: $0) } == nil)
    }
}
