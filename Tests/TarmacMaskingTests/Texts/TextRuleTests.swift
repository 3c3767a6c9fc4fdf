import Testing

@testable import TarmacMasking

/// Each rule is needed: without it the secret that only it finds is shown.
@Suite("Rules of texts, one by one")
struct TextRuleTests {
    private static let known = KnownSecrets(["zuckerwatte"])

    private static let cases: [(rule: TextRules, text: String, secret: String)] = [
        (.known, "no such user: zuckerwatte", "zuckerwatte"),
        (.shapes, "it is AKIAIOSFODNN7EXAMPLE here", "AKIAIOSFODNN7EXAMPLE"),
        (.addresses, "no route to amqp://ann:hunter2@mq.example", "hunter2"),
        (.pairs, "it has password=hunter2 in it", "hunter2"),
        (.encodedPairs, "/login?next=%2Fx%3Ftoken%3Dhunter2", "hunter2"),
        (.members, #"it has "password":"hunter2" in it"#, "hunter2"),
        (.lines, "Authorization: Custom hunter", "hunter"),
        (.elements, "<password>hunter2</password>", "hunter2"),
        (.attributes, #"<input name="csrf_token" value="hunter2">"#, "hunter2"),
        (.options, "tool --password hunter2", "hunter2"),
    ]

    @Test(arguments: cases.indices)
    func aRuleTakenOutShowsItsSecret(_ index: Int) {
        let (rule, text, secret) = Self.cases[index]
        var masking = SecretText(known: Self.known)
        #expect(!masking.masked(text) { _ in "•" }.contains(secret))
        masking.rules.remove(rule)
        #expect(masking.masked(text) { _ in "•" }.contains(secret))
    }

    @Test func eachRuleHasACase() { #expect(Self.cases.map(\.rule) == TextRules.each) }
}
