@testable import TarmacMasking
import Testing

/// A name has one verdict, however a service spells it.
@Suite("Spellings of names")
struct NameSpellingTests {
    /// Names as words, with the verdict about them.
    private static let secret = """
        password, new password, user password hash, client secret, secret access key, access token, refresh token, id token, csrf token, api key,
        private key, encryption key, session id, session token, verification code, authorization code, recovery codes, card number,
        bank account number,
        security code, one time password, seed phrase, connection string, signed url, webhook signature, device token, tax id, passport number,
        access key id, token name value, magic link url, basic auth, login ticket, wallet pin, db pass
        """
    private static let harmless = """
        next page token, max tokens, token type, token count, token usage, password length, password changed at, api key id, key count, sort key,
        public key, cache key, status code, country code, promo code, sign language, zodiac sign, map pin, pin color, boarding pass, pass id,
        training session, session duration, cookie consent, cookie jar, card brand, account type, tax rate, author name, keyboard layout,
        passenger count, signature algorithm, auth method, secret version, device name, user id, order number, eos token, token expires at
        """

    private static func stems(_ list: String) -> [[String]] {
        list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    /// The ways to join words.
    private static let styles: [@Sendable ([String]) -> String] = [
        { $0.joined(separator: "_") }, { $0.joined(separator: "-") }, { $0.joined(separator: ".") }, { $0.joined(separator: " ") },
        { $0.joined(separator: "_").uppercased() }, { $0.joined(separator: "-").uppercased() }, { $0.map(capitalized).joined(separator: "-") },
        { $0.map(capitalized).joined() }, { words in words[0] + words.dropFirst().map(capitalized).joined() },
        { $0.map(capitalized).joined(separator: "_") },
        { words in words[0] + words.dropFirst().map { "[\($0)]" }.joined() },
    ]
    /// What services put before and after a name.
    private static let prefixes = ["", "x-", "X-", "data.", "user[profile].", "$", "acme_", "Acme-", "http_", "v2_", "items[0]."]
    private static let suffixes = ["", "2", "_1", "[]", "[0]", "-2", "*"]

    private func spellings(of words: [String], seed: UInt64) -> [String] {
        var random = SeededRandom(seed: seed)
        return (0..<64).map { _ in
            let prefix = Self.prefixes.randomElement(using: &random)!, style = Self.styles.randomElement(using: &random)!
            return prefix + style(words) + Self.suffixes.randomElement(using: &random)!
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func theSpellingOfASecretDoesNotMatter(seed: UInt64) {
        for words in Self.stems(Self.secret) {
            #expect(spellings(of: words, seed: seed).filter { SecretNames.standard.rule(for: $0) == nil } == [], "\(words)")
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func theSpellingOfAHarmlessNameDoesNotMatter(seed: UInt64) {
        for words in Self.stems(Self.harmless) {
            #expect(spellings(of: words, seed: seed).filter { SecretNames.standard.rule(for: $0) != nil } == [], "\(words)")
        }
    }
}

/// SplitMix64, so that a failure can be repeated.
private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
