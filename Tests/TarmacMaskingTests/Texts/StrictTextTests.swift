import Testing

@testable import TarmacMasking

/// A member of a document is no sentence, although its value may read like one.
@Suite("Secrets in parts of documents")
struct StrictTextTests {
    private func masked(_ text: String, isStrict: Bool) -> String { SecretText(isStrict: isStrict).masked(text) { _ in "‹masked›" } }

    @Test(arguments: [
        #"{"password":"must be changed soon","page":7"#, #"{"a":1,"password": "required","b":"#, #"{"password":"please do not tell"#,
        #"{"nested":{"password":"not the other one"}"#,
    ])
    func theNameOfAMemberDecides(text: String) {
        let shown = masked(text, isStrict: true)
        for word in ["changed", "required", "please", "other"] { #expect(!shown.contains(word), "\(shown)") }
        #expect(shown.contains("‹masked›") && masked(text, isStrict: false) == text)
    }

    @Test func harmlessMembersStay() {
        let text = #"{"page":7,"note":"the password must be longer","name":"ann""#
        #expect(masked(text, isStrict: true) == text)
    }
}
