import Testing

@testable import TarmacMasking

/// The name of an endpoint shows no secret of its template, wherever that is.
@Suite("Secrets, in the text of a URL or template")
struct ShownURLTests {
    private static let long = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1f"

    @Test(arguments: ["/p;token=SEKRET", "/p;jsessionid=SEKRET/q", "/bot123456789:AAF\(long)/send", "/x/ghp_\(long)", "//u:SEKRET@h/", "http://u:SEKRET@h/x"])
    func aPathShowsNoSecret(_ path: String) {
        for end in ["", "?x=1", "?token=SEKRET", "?", "#a", "{?q}", "/{id}?x={y}"] {
            let shown = ShownURL.text(path + end)
            #expect(!shown.contains("SEKRET") && !shown.contains(Self.long), "\(shown)")
        }
    }

    @Test(arguments: [
        "/users/{id}/posts{?page,sort}", "/a;v=1?x=2", "https://a.example:8080/notifications/unsubscribed?x=1", "/a?", "", "?a=b", "//a/b", "/a@b",
    ])
    func aPathWithoutSecretsStaysAsItIs(_ text: String) { #expect(ShownURL.text(text) == text) }
}
