import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite struct TextDecoderTests {
    /// Bytes made by Python's codecs.
    static let samples: [(charset: String, text: String, bytes: [UInt8])] = [
        (
            "gbk", "停机坪, 起飞与降落",
            [0xCD, 0xA3, 0xBB, 0xFA, 0xC6, 0xBA, 0x2C, 0x20, 0xC6, 0xF0, 0xB7, 0xC9, 0xD3, 0xEB, 0xBD, 0xB5, 0xC2, 0xE4]
        ),
        ("gb2312", "着陆点", [0xD7, 0xC5, 0xC2, 0xBD, 0xB5, 0xE3]),
        (
            "gb18030", "𠀀𪚥 €ü 龥 тест ሴ",
            [
                0x95, 0x32, 0x82, 0x36, 0x98, 0x35, 0xEE, 0x37, 0x20, 0xA2, 0xE3, 0xA8, 0xB9, 0x20, 0xFD, 0x9B, 0x20, 0xA7, 0xE4, 0xA7, 0xD6, 0xA7, 0xE3, 0xA7,
                0xE4, 0x20, 0x81, 0x33, 0xBC, 0x34,
            ]
        ),
        ("big5", "停機坪 起飛", [0xB0, 0xB1, 0xBE, 0xF7, 0xA9, 0x57, 0x20, 0xB0, 0x5F, 0xAD, 0xB8]),
        (
            "shift_jis", "滑走路 ①～ ｶﾅ \\~",
            [0x8A, 0x8A, 0x91, 0x96, 0x98, 0x48, 0x20, 0x87, 0x40, 0x81, 0x60, 0x20, 0xB6, 0xC5, 0x20, 0x5C, 0x7E]
        ),
        ("euc-jp", "滑走路 着陸", [0xB3, 0xEA, 0xC1, 0xF6, 0xCF, 0xA9, 0x20, 0xC3, 0xE5, 0xCE, 0xA6]),
        (
            "euc-kr", "활주로 똠방각하",
            [0xC8, 0xB0, 0xC1, 0xD6, 0xB7, 0xCE, 0x20, 0x8C, 0x63, 0xB9, 0xE6, 0xB0, 0xA2, 0xC7, 0xCF]
        ),
        ("iso-2022-jp", "滑走路", [0x1B, 0x24, 0x42, 0x33, 0x6A, 0x41, 0x76, 0x4F, 0x29, 0x1B, 0x28, 0x42]),
        (
            "iso-8859-2", "Łódź žluťoučký",
            [0xA3, 0xF3, 0x64, 0xBC, 0x20, 0xBE, 0x6C, 0x75, 0xBB, 0x6F, 0x75, 0xE8, 0x6B, 0xFD]
        ),
        ("iso-8859-5", "полоса", [0xDF, 0xDE, 0xDB, 0xDE, 0xE1, 0xD0]),
        ("iso-8859-15", "€ œuvre", [0xA4, 0x20, 0xBD, 0x75, 0x76, 0x72, 0x65]),
        (
            "windows-1251", "Взлётная полоса",
            [0xC2, 0xE7, 0xEB, 0xB8, 0xF2, 0xED, 0xE0, 0xFF, 0x20, 0xEF, 0xEE, 0xEB, 0xEE, 0xF1, 0xE0]
        ),
        ("windows-1255", "ש", [0xF9]),
        ("koi8-r", "полоса", [0xD0, 0xCF, 0xCC, 0xCF, 0xD3, 0xC1]),
        ("windows-1254", "İğne", [0xDD, 0xF0, 0x6E, 0x65]),
        ("iso-8859-9", "İğne", [0xDD, 0xF0, 0x6E, 0x65]),
        ("tis-620", "ทางวิ่ง", [0xB7, 0xD2, 0xA7, 0xC7, 0xD4, 0xE8, 0xA7]),
        ("macintosh", "pétanque ∞", [0x70, 0x8E, 0x74, 0x61, 0x6E, 0x71, 0x75, 0x65, 0x20, 0xB0]),
        ("ibm866", "полоса", [0xAF, 0xAE, 0xAB, 0xAE, 0xE1, 0xA0]),
        ("iso-8859-1", "“piste” €…", [0x93, 0x70, 0x69, 0x73, 0x74, 0x65, 0x94, 0x20, 0x80, 0x85]),
        ("us-ascii", "plain", [0x70, 0x6C, 0x61, 0x69, 0x6E]),
        ("utf-16", "滑走路 𠀀", [0xD1, 0x6E, 0x70, 0x8D, 0xEF, 0x8D, 0x20, 0x00, 0x40, 0xD8, 0x00, 0xDC]),
        ("utf-16be", "滑走路 𠀀", [0x6E, 0xD1, 0x8D, 0x70, 0x8D, 0xEF, 0x00, 0x20, 0xD8, 0x40, 0xDC, 0x00]),
        (
            "utf-32le", "滑走路 𠀀",
            [0xD1, 0x6E, 0x00, 0x00, 0x70, 0x8D, 0x00, 0x00, 0xEF, 0x8D, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00]
        ),
        ("utf-32", "𠀀", [0x00, 0x02, 0x00, 0x00]),
        ("utf8", "停机坪", [0xE5, 0x81, 0x9C, 0xE6, 0x9C, 0xBA, 0xE5, 0x9D, 0xAA]),
    ]

    private func decode(_ bytes: [UInt8], _ charset: String?) throws(TarmacError) -> String {
        try TextDecoder.decode(Bytes(bytes), charset: charset)
    }

    // YTK-24: a text is read in the charset that the server names.
    @Test(arguments: samples)
    func textIsReadInTheCharsetTheServerNames(_ charset: String, _ text: String, _ bytes: [UInt8]) throws {
        #expect(try decode(bytes, charset) == text)
        #expect(try TextDecoder.utf8(Bytes(bytes), charset: charset) == Bytes(text))
        #expect(try decode(bytes, " " + charset.uppercased() + "\t") == text)
    }

    @Test(arguments: samples)
    func longTextsGrowTheOutput(_ charset: String, _ text: String, _ bytes: [UInt8]) throws {
        let many = Array(repeatElement(bytes, count: 5_000).joined())
        #expect(try decode(many, charset) == String(repeating: text, count: 5_000))
    }

    @Test(
        arguments: [
            ("gbk", [0x41, 0xCD, 0xA3, 0xCD], 3), ("gb18030", [0x95, 0x32, 0x82], 0), ("gbk", [0x41, 0xFF, 0x41], 1),
            ("big5", [0x41, 0x42, 0xB0], 2), ("shift_jis", [0x8A, 0x8A, 0x91], 2), ("euc-kr", [0xC8], 0),
            ("utf-8", [0x41, 0xC3, 0x28], 1), ("utf8", [0xE5, 0x81, 0x9C, 0xED, 0xA0, 0x80], 3), ("utf-8", [0xC0, 0x80], 0),
            ("utf-16le", [0x41, 0x00, 0x00, 0xD8, 0x41, 0x00], 2), ("utf-16be", [0x00, 0x41, 0x00], 2),
            ("utf-32le", [0x41, 0, 0, 0, 0, 0, 0x11, 0], 4), ("utf-32be", [0, 0, 0, 0x41, 0], 4),
            ("iso-8859-3", [0x41, 0xA5], 1),
        ] as [(String, [UInt8], Int)])
    func aByteThatDoesNotBelongIsNamedByItsOffset(_ charset: String, _ bytes: [UInt8], _ offset: Int) {
        let error = #expect(throws: TarmacError.self) { try decode(bytes, charset) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.phase == .decoding)
        #expect(error?.reason.contains(charset) == true)
        #expect(error?.reason.hasSuffix("at byte offset \(offset)") == true, "\(String(describing: error))")
    }

    // YTK-24: an unknown charset is an error that names it.
    @Test(arguments: ["klingon", "utf-7", "hz-gb-2312", "\"", "utf-8; x"])
    func anUnknownCharsetIsNamed(_ charset: String) {
        let error = #expect(throws: TarmacError.self) { try decode([0x41], charset) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.contains(charset) == true)
    }

    @Test(arguments: ["klingon", "utf8mb4", "binary"])
    func jsonOfAnUnknownCharsetIsInUTF8(_ charset: String) throws {
        #expect(try TextDecoder.utf8(Bytes("{\"a\": \"é\"}"), charset: charset) == Bytes("{\"a\": \"é\"}"))
        #expect(try TextDecoder.utf8(Bytes([0xFF, 0xFE, 0x41, 0x00]), charset: charset) == Bytes("A"))
    }

    // YTK-24: a byte order mark goes before the charset.
    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0x41], "A"), ([0xFF, 0xFE, 0x41, 0x00], "A"), ([0xFE, 0xFF, 0x00, 0x41], "A"),
            ([0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], "A"), ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x41], "A"), ([0xEF, 0xBB, 0xBF], ""),
            ([0xFF, 0xFE], ""),
        ] as [([UInt8], String)])
    func aByteOrderMarkWinsAndDisappears(_ bytes: [UInt8], _ text: String) throws {
        for charset in [nil, "utf-8", "gbk", "klingon"] {
            #expect(try decode(bytes, charset) == text)
            #expect(try TextDecoder.utf8(Bytes(bytes), charset: charset) == Bytes(text))
        }
    }

    @Test func anOffsetCountsTheMark() {
        let error = #expect(throws: TarmacError.self) { try decode([0xEF, 0xBB, 0xBF, 0x41, 0xFF], nil) }
        #expect(error?.reason.hasSuffix("offset 4") == true)
        let wide = #expect(throws: TarmacError.self) { try decode([0xFF, 0xFE, 0x41, 0x00, 0x00, 0xDC], nil) }
        #expect(wide?.reason.hasSuffix("offset 4") == true)
    }

    // YTK-24: without both the text is UTF-8.
    @Test(arguments: [nil, ""])
    func withoutACharsetTextIsUTF8(_ charset: String?) throws {
        #expect(try decode(Array("停机坪".utf8), charset) == "停机坪")
        let error = #expect(throws: TarmacError.self) { try decode([0x41, 0xFA, 0xC6], charset) }
        #expect(error?.reason.contains("utf-8") == true)
    }

    @Test(arguments: [nil, "utf-8", "UTF8", "gbk", "us-ascii", "iso-8859-1", "shift_jis"])
    func asciiIsHandedBackWithoutACopy(_ charset: String?) throws {
        let owner = Owner()
        let handed = try TextDecoder.utf8(Bytes(owner: owner), charset: charset)
        #expect(handed.withUnsafeBytes { $0.baseAddress } == owner.address)
    }

    @Test func utf8IsHandedBackUnchecked() throws {
        #expect(try TextDecoder.utf8(Bytes([0xFF, 0x41]), charset: nil) == Bytes([0xFF, 0x41]))
    }

    @Test func everyByteMeansSomethingInWindows1252() throws {
        #expect(try decode(Array(0...255), "latin1").unicodeScalars.count == 256)
    }

    @Test func everyLabelOfTheTableCanBeConverted() throws {
        for label in CharsetLabels.all {
            #expect(try decode([0x41], label) == "A", "\(label)")
        }
    }

    private struct Owner: BytesOwner {
        // SAFETY: never written to after it was filled.
        private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer
        var address: UnsafeRawPointer? { UnsafeRawPointer(memory.baseAddress) }
        let count = 5

        init() {
            memory = .allocate(byteCount: 5, alignment: 1)
            memory.copyBytes(from: "plain".utf8)
        }

        func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) { body(UnsafeRawBufferPointer(memory)) }
    }
}
