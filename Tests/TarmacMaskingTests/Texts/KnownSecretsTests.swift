import Testing

@testable import TarmacMasking

@Suite("Known secrets, in every encoding")
struct KnownSecretsTests {
    /// Repeatable (Steele et al., SplitMix64).
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var bits = state
            bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
            return bits ^ (bits >> 31)
        }
    }

    private typealias Encoding = (name: String, encode: @Sendable (String) -> String)

    private static func percent(_ text: String, _ letters: String, plus: Bool = false) -> String {
        let digits = Array(letters)
        return text.utf8.map { byte in
            if TextBytes.isAlphanumeric(byte) { return String(UnicodeScalar(byte)) }
            if plus, byte == 0x20 { return "+" }
            return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }.joined()
    }

    private static func escaped(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
        text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
    }

    private static func json(_ text: String) -> String { escaped(text) { "\"\\/".unicodeScalars.contains($0) ? "\\\($0)" : nil } }

    private static func unicode(_ text: String) -> String {
        escaped(text) { scalar in
            if scalar.isASCII, scalar.properties.isAlphabetic { return nil }
            return String(scalar).utf16.map { unit in
                let hex = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            }.joined()
        }
    }

    private static func entities(_ text: String) -> String {
        escaped(text) {
            ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"][$0] ?? ($0.isASCII ? nil : "&#x\(String($0.value, radix: 16));")
        }
    }

    private static let encodings: [Encoding] = [
        ("raw", { $0 }), ("percent", { percent($0, "0123456789ABCDEF") }), ("lower-case percent", { percent($0, "0123456789abcdef") }),
        ("form", { percent($0, "0123456789ABCDEF", plus: true) }), ("JSON", json), ("Unicode escapes", unicode), ("entities", entities),
        ("JSON in JSON", { json(json($0)) }), ("percent twice", { percent(percent($0, "0123456789ABCDEF"), "0123456789ABCDEF") }),
        ("JSON in a form", { percent(json($0), "0123456789ABCDEF", plus: true) }), ("Base64", { String(decoding: Base64.text(Array($0.utf8)), as: UTF8.self) }),
        ("Base64 of URLs", { String(decoding: Base64.text(Array($0.utf8), isForURLs: true), as: UTF8.self) }),
    ]

    @Test(arguments: 0..<UInt64(40))
    func noneShows(_ seed: UInt64) {
        var random = Random(state: seed)
        let letters = Array("abcXYZ019 +/\\\"'<>&%=;,üß密😀-_.~")
        let secrets = (0..<8).map { _ in "S" + String((0..<Int.random(in: 7...90, using: &random)).map { _ in letters.randomElement(using: &random)! }) + "E" }
        let masking = SecretText(names: .none, in: .inAddresses, known: KnownSecrets(secrets))
        for secret in secrets {
            for encoding in Self.encodings {
                let planted = encoding.encode(secret)
                let shown = masking.masked("it was (\(planted)) here") { _ in "•" }
                #expect(!shown.contains(planted) && shown.hasPrefix("it was (") && shown.hasSuffix(") here"), "\(encoding.name): \(secret) -> \(shown)")
            }
        }
    }

    @Test func aTruncatedValueIsFound() {
        let secret = String(repeating: "0123456789abcdef", count: 20)
        let masking = SecretText(names: .none, known: KnownSecrets([secret, secret + "x", String(secret.prefix(100)) + "y"]))
        for count in [64, 65, 100, 319, 320] { #expect(masking.masked("<\(secret.prefix(count))|") { _ in "•" } == "<•|") }
        #expect(masking.masked(String(secret.prefix(63))) { _ in "•" } == String(secret.prefix(63)))
        #expect(masking.masked("<\(secret)x>") { _ in "•" } == "<•>")
    }

    @Test func manyValuesWithOneBeginningTakeTimeInProportion() {
        // A comparison with each value at each place would take minutes.
        let beginning = String(repeating: "common-prefix-", count: 8)
        let known = KnownSecrets((0..<512).map { "\(beginning)\($0)-tail" })
        let text = String(repeating: String(beginning.dropLast(60)), count: 10_000)
        #expect(SecretText(names: .none, in: .inAddresses, known: known).masked(text) { _ in "" } == text)
    }

    @Test func thePasswordOfBasicIsKnown() {
        var known = KnownSecrets()
        known.insert(header: "Basic YW5uOmh1bnRlcjIx")
        let masking = SecretText(names: .none, in: .inAddresses, known: known)
        #expect(masking.masked("ann:hunter21 and hunter21 and YW5uOmh1bnRlcjIx, ann") { _ in "•" } == "• and • and •, ann")
    }

    @Test func theAddressOfAChallengeIsNoSecret() {
        var known = KnownSecrets()
        known.insert(header: #"Digest username="ann.example", uri="/orders/list", response="6629fae49393a053""#)
        let masking = SecretText(names: .none, in: .inAddresses, known: known)
        #expect(masking.masked("/orders/list of ann.example: 6629fae49393a053") { _ in "•" } == "/orders/list of ann.example: •")
    }
}
