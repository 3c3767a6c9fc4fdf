import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

@Suite struct InflateBytesTests {
    private static let roomy = 1 << 30

    private func inflate(_ bytes: [UInt8], _ coding: ContentCoding, limit: Int = roomy) throws(TarmacError) -> [UInt8] {
        try ContentDecoder.inflate(Bytes(bytes), coding, limit: limit).array
    }

    @Test(arguments: [
        (Coded.gzip, ContentCoding.gzip), (Coded.gzipWithEveryHeaderField, .gzip), (Coded.zlib, .deflate),
        (Coded.bareDeflate, .deflate),
    ])
    func everyWrappingInflatesToTheText(_ coded: [UInt8], _ coding: ContentCoding) throws {
        #expect(String(decoding: try inflate(coded, coding), as: UTF8.self) == Coded.text)
    }

    @Test func storedBareDeflateIsNotTakenForZlib() throws {
        #expect(String(decoding: try inflate(Coded.storedDeflate, .deflate), as: UTF8.self) == "stored tarmac")
    }

    @Test(arguments: [ContentCoding.gzip, .deflate])
    func anEmptyBodyIsEmptyInEveryCoding(_ coding: ContentCoding) throws {
        #expect(try inflate([], coding).isEmpty)
    }

    @Test func membersAreJoined() throws {
        let joined = try inflate(Coded.gzip + Coded.gzipWithEveryHeaderField + Coded.gzip, .gzip)
        #expect(String(decoding: joined, as: UTF8.self) == String(repeating: Coded.text, count: 3))
    }

    @Test(arguments: [[0], [0, 0, 0, 0], [0x1F], [0x1F, 0x00], Array("garbage".utf8)] as [[UInt8]])
    func bytesAfterTheLastMemberAreIgnored(_ garbage: [UInt8]) throws {
        #expect(String(decoding: try inflate(Coded.gzip + garbage, .gzip), as: UTF8.self) == Coded.text)
        #expect(String(decoding: try inflate(Coded.zlib + garbage, .deflate), as: UTF8.self) == Coded.text)
    }

    @Test(arguments: [(Coded.gzip, ContentCoding.gzip), (Coded.zlib, .deflate), (Coded.bareDeflate, .deflate)])
    func everyTruncationIsUndecodable(_ coded: [UInt8], _ coding: ContentCoding) {
        for length in 1..<coded.count {
            #expect(throws: TarmacError.self, "\(length) bytes of \(coded.count)") {
                try inflate(Array(coded[..<length]), coding)
            }
        }
    }

    @Test func aTruncatedSecondMemberIsUndecodable() {
        let error = #expect(throws: TarmacError.self) { try inflate(Coded.gzip + Coded.gzip.prefix(20), .gzip) }
        #expect(error?.code == .undecodableContent)
        #expect(error?.phase == .receiving)
    }

    @Test(arguments: [ContentCoding.gzip, .deflate])
    func plainTextIsUndecodable(_ coding: ContentCoding) {
        let error = #expect(throws: TarmacError.self) { try inflate(Array("no coding at all".utf8), coding) }
        #expect(error?.code == .undecodableContent)
    }

    @Test func aWrongChecksumIsUndecodable() {
        var damaged = Coded.gzip
        damaged[damaged.count - 6] ^= 1
        let error = #expect(throws: TarmacError.self) { try inflate(damaged, .gzip) }
        #expect(error?.code == .undecodableContent)
        #expect(error?.reason.contains("gzip") == true)
    }

    @Test func noDamagedByteCrashes() {
        for index in Coded.gzip.indices {
            for flip in [UInt8(0x01), 0x80, 0xFF] {
                var damaged = Coded.gzip
                damaged[index] ^= flip
                _ = try? inflate(damaged, .gzip, limit: 1 << 20)
            }
        }
    }

    @Test func aBombStopsAtTheLimit() throws {
        let bomb = try inflate(Coded.zerosInGzipTwice, .gzip)
        let bombs = Array(repeatElement(bomb, count: 64).joined())
        let error = #expect(throws: TarmacError.self) { try inflate(bombs, .gzip, limit: 3 << 20) }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test(arguments: [(0, true), (1, true), (100, true), (448, false), (447, true), (449, false)])
    func aBodyOfExactlyTheLimitPasses(_ limit: Int, _ isTooLarge: Bool) throws {
        #expect(Coded.text.utf8.count == 448)
        let outcome = Result { try inflate(Coded.gzip, .gzip, limit: limit) }
        #expect((try? outcome.get()) == nil ? isTooLarge : !isTooLarge)
    }

    @Test func aLyingLengthOnlyCostsTime() throws {
        var lying = Coded.gzip
        lying.replaceSubrange((lying.count - 4)..., with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: TarmacError.self) { try inflate(lying, .gzip) }
        #expect(try inflate(Coded.gzip, .gzip, limit: .max).count == Coded.text.utf8.count)
    }

    @Test func growingKeepsWhatIsThere() throws {
        let inner = try inflate(Coded.zerosInZlibInGzip, .gzip)
        let zeros = try inflate(inner, .deflate)
        #expect(zeros.count == Coded.mebibyte)
        #expect(zeros.allSatisfy { $0 == 0 })
    }
}
