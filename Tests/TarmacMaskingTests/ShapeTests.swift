import Testing

@testable import TarmacMasking

@Suite("Secrets, by their shape")
struct ShapeTests {
    private static func masked(_ text: String, in places: SecretText.Names = .inAddresses) -> String {
        SecretText(in: places).masked(text) { _ in "‹masked›" }
    }

    private static let long = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1f"

    static let secrets: [String] = [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.",
        "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..48V1_ALb6US04U3b.5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6ji.XFBoMYUZodetZdvTiFvSkQ",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6", "AKIAIOSFODNN7EXAMPLE", "ASIAIOSFODNN7EXAMPLE", "AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe", "ya29.\(long)",
        "ghp_\(long)", "github_pat_\(long)", "glpat-\(long)", "xoxb-123456789012-abcdef", "sk_live_\(long)", "whsec_\(long)", "sk-proj-\(long)",
        "sk-ant-api03-\(long)", "sk-\(long)", "SG.\(long).\(long)", "npm_\(long)", "pypi-AgEI\(long)", "shpat_\(long)", "hf_\(long)",
        "dop_v1_\(long)",
        "4111111111111111", "4111 1111 1111 1111", "5555-5555-5555-4444", "378282246310005", "3782 822463 10005", "6011111111111117",
    ]

    @Test(arguments: secrets, ["", "see ", "\"", "x=", "https://a.example/", "https://a.example/?q=", "%22", "\\n", "("])
    func aSecretIsFoundAnywhere(_ secret: String, _ before: String) {
        let masked = Self.masked(before + secret + " end")
        #expect(masked == before + "‹masked› end", "\(before)\(secret)")
        #expect(SecretText(in: .inAddresses).rule(in: before + secret) != nil)
    }

    @Test(arguments: [
        ("Bearer 7f3a9c2e", "Bearer ‹masked›"), ("bearer%207f3a9c2e", "bearer%20‹masked›"), ("Basic dXNlcjpwYXNz", "Basic ‹masked›"),
        ("Token 7f3a9c2e4b", "Token ‹masked›"), ("https://ann:hunter2@a.example/x", "https://‹masked›@a.example/x"),
        ("/bot123456789:AAF\(long)/sendMessage", "/bot‹masked›/sendMessage"),
        ("https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXX", "https://hooks.slack.com/services/‹masked›"),
        ("https://a.example/x?id=7&sig=abc%2Bd&n=1", "https://a.example/x?id=7&sig=‹masked›&n=1"),
        ("https://a.example/#access_token=abc&state=1", "https://a.example/#access_token=‹masked›&state=1"),
        ("<https://a.example/x?X-Amz-Signature=abc>; rel=\"next\"", "<https://a.example/x?X-Amz-Signature=‹masked›>; rel=\"next\""),
        (
            "/login?next=https%3A%2F%2Fa.example%2F%3Fid%3D7%26token%3Dabc%26n%3D1",
            "/login?next=https%3A%2F%2Fa.example%2F%3Fid%3D7%26token%3D‹masked›%26n%3D1"
        ),
        ("/a;jsessionid=ABC?x=1", "/a;jsessionid=‹masked›?x=1"),
        ("a -----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY----- b", "a ‹masked› b"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE", "‹masked›"),
    ])
    func thePartThatIsSecretIsMasked(_ text: String, _ shown: String) { #expect(Self.masked(text) == shown) }

    @Test(arguments: [
        "Bearer realm=\"api\"", "Basic authentication", "token expired", "Bearer token", "1700000000000", "1700000000000000", "4111111111111112",
        "0.4111111111111111",
        "550e8400-e29b-41d4-a716-446655440000", "sk-this-is-a-long-slug-of-a-page-title", "basket", "eyJ", "eyJhbGci",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "https://a.example/x?page=2&next_page_token=abc", "https://a.example/@ann", "2024-01-31T12:00:00Z", "+41 44 123 45 67",
        "d41d8cd98f00b204e9800998ecf8427e",
        "password=hunter2", "key-value", "https://a.example:8080/x", "a@b.example", "12:30:45", "notes about re_entry", "AKIA", "x4111111111111111",
        "41111111111111111111",
    ])
    func aHarmlessTextDoesNotChange(_ text: String) { #expect(Self.masked(text) == text) }

    @Test(arguments: [
        (#"{"a":1,"password":"hunter2","b":2"#, #"{"a":1,"password":‹masked›,"b":2"#), (#"{"tokens":["a","b"#, #"{"tokens":‹masked›"#),
        (#"{\"password\":\"hunter2\",\"b\":2}"#, #"{\"password\":‹masked›,\"b\":2}"#), ("token=abc&x=1", "token=‹masked›&x=1"),
        ("failed: password=hunter2, user=ann", "failed: password=‹masked›, user=ann"),
        (
            "Authorization: Digest a=b c\nHost: x",
            "Authorization: ‹masked›\nHost: x"
        ),
        ("curl -H 'X-Api-Key: abc def' https://x", "curl -H 'X-Api-Key: ‹masked›' https://x"),
        (
            "the token: 7f3a9c is wrong",
            "the token: ‹masked› is wrong"
        ),
        ("invalid token: unexpected end", "invalid token: unexpected end"), (#"{"code":"invalid_grant"}"#, #"{"code":"invalid_grant"}"#),
        (#"{"code":"4/0AX4XfWh"}"#, #"{"code":‹masked›}"#),
        (#"{"max_tokens":4096,"has_password":true}"#, #"{"max_tokens":4096,"has_password":true}"#),
        (#"Signature keyId="a",signature="abc==""#, #"Signature keyId="a",signature="‹masked›""#),
    ])
    func namesCountInFreeText(_ text: String, _ shown: String) { #expect(Self.masked(text, in: .everywhere) == shown) }

    @Test func knownValuesAreFoundAgain() {
        let text = SecretText(known: KnownSecrets(["hunter two/3", "short", "ab\"cdef"]))
        let shown = text.masked(#"hunter two/3 hunter%20two%2F3 hunter+two%2F3 hunter two\/3 short ab\"cdef"#) { "<\($0)>" }
        #expect(shown == "<known secret> <known secret> <known secret> <known secret> short <known secret>")
    }

    @Test(arguments: [
        "eyJ", "eyJ.", "eyJ-", "4", "4 ", "41-", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "Bearer ", "sk-", "a=", "a:", "\"a\":",
        "://", "%3D", "a%3D", "?a=", "'a':b", "a: ", "ghp_", "=", ":", "code=ok,", "\\\"", "{\"", "%", "<", "\\", "%22a%22%3A", "&quot;", "<a ",
        "value=", "re_1_", "bearer+", "x:y:", "a:b@", "--a ", "-u a", "%25", "&gt;", "&lt;a", "token=,", "<code>ok", "a\n ", "\\u0022",
        "Bearer+a=", "=Bearer+", "key+a=", "  > token: not a\n", "\\ntoken: not a", "\"value\":", "：", "API key (", "value: ",
    ])
    func hostileTextTakesTimeInProportion(_ unit: String) {
        // A quadratic rule would take minutes.
        let text = String(repeating: unit, count: 100_000 / unit.utf8.count)
        let isMasked = unit.contains("BEGIN PRIVATE") || ["Bearer ", "4 ", "ghp_", "re_1_", "bearer+", "=Bearer+", "token=,", "："].contains(unit)
        let unmasked = isMasked ? nil : text
        let shown = SecretText().masked(text) { _ in "" }
        // A known value that never comes is looked for at each place.
        let looked = SecretText(known: KnownSecrets([String(text.prefix(50)) + "x"])).masked(text) { _ in "" }
        #expect(unmasked.map { $0 == shown && $0 == looked } ?? true)
    }
}
