import Tarmac
import Testing

@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacFormats
import TarmacMasking
@testable import TarmacTransfer

/// Readers of percent-encoding take two hexadecimal digits alone for a byte.
@Suite("Percent-encoding")
struct PercentDecodingTests {
    /// Texts that stay as they are.
    static let plain = ["%+1", "%-1", "%1", "%", "%%", "%g1", "%1g", "% 1", "%1 ", "%0x", "%\u{661}1", "a%+f", "%+\u{E9}"]
    static let encoded = [("%41", "A"), ("%4a%4A", "JJ"), ("a%20b", "a b"), ("%25%2B1", "%+1"), ("%C3%A9%", "\u{E9}%"), ("%%41", "%A"), ("%4%41", "%4A")]

    @Test(arguments: plain.map { ($0, $0) } + encoded) func whatIsNoEscapeStays(text: String, meaning: String) {
        #expect(String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self) == meaning)
        #expect(FilePlace.decoded(Array(text.utf8)) == meaning)
        #expect(text[...].formDecoded == meaning.replacing("+", with: text.contains("+") ? " " : "+"))
    }

    @Test(arguments: plain) func anArgumentThatIsNoEscapeIsNotTheIgnoredOne(text: String) throws {
        let name = "x" + text
        let url = try? HTTPURL("http://a.example/?\(name)=1")
        guard let url else { return }
        #expect(CacheArguments.url(url, ignoring: ["x\u{1}"]) == url.string)
    }

    @Test(arguments: ["%+1=\u{E9}", "%-7=1"]) func aCharsetChangesEscapesAlone(text: String) throws {
        let charset = ParameterCharset("X") { _ in [0xE9] }
        #expect(try charset.recoded(text) == text)
    }
}
