import Testing

@testable import TarmacMasking

/// The texts were written before the rules that they test. Half of them, drawn at random, was not looked at while the rules were made.
@Suite("Secrets in texts of servers, tools and libraries")
struct TextTests {
    private static func masked(_ text: String) -> String { SecretText().masked(text) { _ in "‹masked›" } }

    @Test(arguments: TextsWithSecrets.all)
    func aSecretIsMasked(_ marked: String) {
        let (text, secrets) = marked.unmarked
        let shown = Self.masked(text)
        for secret in secrets { #expect(!shown.contains(secret), "\(shown)") }
    }

    @Test(arguments: HarmlessTexts.all)
    func aHarmlessTextDoesNotChange(_ text: String) { #expect(Self.masked(text) == text) }
}
