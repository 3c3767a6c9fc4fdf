import Testing

@testable import TarmacJSON

@Suite struct IndexerTests {
    @Test(arguments: [
        "{}", "[]", "null", "true", "false", "0", "-0", "-1", "1.5", "1e5", "1E+5", "1e-5", "\"\"", "\"a\"",
        " [ ] ", "\n\t\r{ \"a\" : [ 1 , 2 ] }\n", "[[],{},[{}]]", "{\"\":0}", "{\"a\":1,\"a\":2}",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0041\\uD83D\\uDE00\"", "\"é中😀\u{7F}\u{2028}\"", "[0,-0.0e-0]",
        "[\"a long string that takes several rounds of eight bytes é and more\"]", "123456789012345678901234567890",
    ])
    func validTextIsAccepted(_ text: String) throws {
        _ = try JSONDocument(text)
        _ = try JSONDocument(Array(text.utf8))
    }

    static let faults: [(String, JSONError.Code, Int)] = [
        ("", .unexpectedEnd, 0), ("   ", .unexpectedEnd, 3), ("[", .unexpectedEnd, 1), ("{", .unexpectedEnd, 1),
        ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{\"a\"", .unexpectedEnd, 4),
        ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1,", .unexpectedEnd, 7), ("\"a", .unexpectedEnd, 2),
        ("\"\\", .unexpectedEnd, 2), ("\"\\u12", .unexpectedEnd, 5), ("tru", .unexpectedEnd, 3),
        ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
        ("]", .unexpectedCharacter, 0), ("[1,]", .unexpectedCharacter, 3), ("[,1]", .unexpectedCharacter, 1),
        ("[1 2]", .unexpectedCharacter, 3), ("{\"a\" 1}", .unexpectedCharacter, 5), ("{a:1}", .unexpectedCharacter, 1),
        ("{\"a\":1,}", .unexpectedCharacter, 7), ("{\"a\":}", .unexpectedCharacter, 5), ("{1:1}", .unexpectedCharacter, 1),
        ("[1}", .unexpectedCharacter, 2), ("{\"a\":1]", .unexpectedCharacter, 6), ("nul]", .unexpectedCharacter, 3),
        ("[trUe]", .unexpectedCharacter, 3), ("[fals]", .unexpectedCharacter, 5), ("'a'", .unexpectedCharacter, 0),
        ("[NaN]", .unexpectedCharacter, 1), ("[+1]", .unexpectedCharacter, 1), ("[.5]", .unexpectedCharacter, 1),
        ("[01]", .invalidNumber, 2), ("[-]", .invalidNumber, 2), ("[1.]", .invalidNumber, 3),
        ("[1e]", .invalidNumber, 3), ("[1.e1]", .invalidNumber, 3), ("[-a]", .invalidNumber, 2),
        ("[1a]", .unexpectedCharacter, 2), ("[1]x", .trailingContent, 3), ("1 2", .trailingContent, 2),
        ("{}}", .trailingContent, 2), ("[][]", .trailingContent, 2), ("\"a\"\"b\"", .trailingContent, 3),
        ("\u{FEFF}[]", .byteOrderMark, 0), ("[\"\\x\"]", .invalidEscape, 2), ("[\"\\u12G4\"]", .invalidEscape, 2),
        ("[\"\\u12\"]", .invalidEscape, 2), ("[\"a\nb\"]", .controlCharacter, 3), ("[\"\0\"]", .controlCharacter, 2),
        ("[\"\\uD800\"]", .loneSurrogate, 2), ("[\"\\uDC00\"]", .loneSurrogate, 2), ("[\"\\uD800\\u0041\"]", .loneSurrogate, 2),
        ("[\"\\uD800x\"]", .loneSurrogate, 2), ("[1\0]", .unexpectedCharacter, 2), ("[\u{A0}1]", .unexpectedCharacter, 1),
        ("[\"open]", .unexpectedEnd, 7), ("[\"open, and longer than sixteen bytes]", .unexpectedEnd, 38),
        ("\0", .unexpectedCharacter, 0), ("{\"a\":\"b]", .unexpectedEnd, 8),
    ]

    @Test(arguments: faults)
    func invalidTextIsRefusedAtTheByte(_ text: String, _ code: JSONError.Code, _ offset: Int) {
        for bytes in [Array(text.utf8), Array(text.utf8) + [0x20, 0x0A]] {
            let error = #expect(throws: JSONError.self) { try JSONDocument(bytes) }
            #expect(error?.code == code)
            if bytes.count == text.utf8.count { #expect(error?.offset == offset) }
        }
    }

    static let illFormed: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xE1, 0x80], [0xE1, 0x41, 0x80], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF1, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
    ]

    @Test(arguments: illFormed)
    func illFormedUTF8IsRefused(_ sequence: [UInt8]) {
        for padding in 0..<20 {
            let before = Array(repeating: UInt8(ascii: "x"), count: padding)
            let bytes = Array("[\"".utf8) + before + sequence + Array("\"]".utf8)
            let error = #expect(throws: JSONError.self) { try JSONDocument(bytes) }
            #expect(error?.code == .invalidUTF8)
            #expect(error?.offset == 2 + padding)
        }
    }

    @Test func everyTruncationIsRefused() throws {
        let text = #"{"a":[1,-2.5e+3,true,false,null,"x\u00e9\ud83d\ude00é中😀",{"b":{}}],"c":""}"#
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: JSONError.self) { try JSONDocument(Array(bytes[..<length])) }
        }
        _ = try JSONDocument(bytes)
    }

    @Test func depthIsLimitedWithoutRecursion() throws {
        for open in ["[", "{\"a\":"] {
            let error = #expect(throws: JSONError.self) {
                try JSONDocument(String(repeating: open, count: 100_000))
            }
            #expect(error?.code == .depthExceeded)
        }
        let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        _ = try JSONDocument(nested(512))
        #expect(throws: JSONError.self) { try JSONDocument(nested(513)) }
        _ = try JSONDocument(nested(100_000), options: .init(depthLimit: 100_000))
    }

    @Test func sizeIsLimited() {
        let error = #expect(throws: JSONError.self) { try JSONDocument("[1,2,3]", options: .init(sizeLimit: 6)) }
        #expect(error?.code == .sizeExceeded)
    }

    @Test func tapeIsAtMostFourTimesTheText() throws {
        let text = "[" + String(repeating: "1,", count: 100_000) + "1]"
        let document = try JSONDocument(text)
        #expect(document.indexByteCount <= text.utf8.count * 4 + 1024)
    }

    @Test func nothingIsReadBeyondTheEnd() throws {
        // The allocation ends with the text: a read beyond it is seen by the address sanitizer.
        let text = Array(#"{"key":["some text",1234567890.5,true,"é"]}"#.utf8)
        for length in 0...text.count {
            let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
            defer { exact.deallocate() }
            exact.copyBytes(from: text[..<length])
            let document = try? JSONDocument(owner: Owner(), bytes: UnsafeRawBufferPointer(exact))
            #expect((document == nil) == (length < text.count))
        }
    }

    private final class Owner: Sendable {}
}
