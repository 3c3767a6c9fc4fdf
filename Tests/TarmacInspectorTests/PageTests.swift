import Testing

@testable import TarmacInspector

@Suite struct PageTests {
    private func value(_ name: String, _ answer: Answer) -> String? { answer.headers.first { $0.0 == name }?.1 }

    @Test func everyAnswerHasTheProtectingFields() {
        for answer in [Answer.page(), .json([UInt8]("{}".utf8)), .har([]), .refused(403, "no")] {
            #expect(value("X-Content-Type-Options", answer) == "nosniff")
            #expect(value("Referrer-Policy", answer) == "no-referrer")
            #expect(value("Cache-Control", answer) == "no-store")
            #expect(value("Cross-Origin-Resource-Policy", answer) == "same-origin")
            #expect(value("Content-Security-Policy", answer)?.contains("frame-ancestors 'none'") == true)
            #expect(value("Content-Security-Policy", answer)?.contains("default-src 'none'") == true)
            #expect(value("Access-Control-Allow-Origin", answer) == nil)
        }
    }

    @Test func policyNamesTheNonceOfThePageAlone() throws {
        let page = Answer.page(), policy = try #require(value("Content-Security-Policy", page))
        let nonce = try #require(policy.split(separator: "'").first { $0.hasPrefix("nonce-") }).dropFirst(6)
        guard case .bytes(let bytes) = page.content else { return #expect(Bool(false)) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("<script nonce=\"\(nonce)\">") && text.contains("<style nonce=\"\(nonce)\">"))
        #expect(!policy.contains("unsafe"))
        #expect(policy != value("Content-Security-Policy", .page()))
    }

    @Test(arguments: [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "setAttribute(\"style\"", "srcdoc",
        "createContextualFragment",
        "localStorage", "importScripts",
    ])
    func scriptSetsNoMarkup(word: String) { #expect(!Page.html(nonce: "n").contains(word)) }

    @Test func pageLoadsNothingFromElsewhere() {
        let page = Page.html(nonce: "n")
        for word in ["https://", "http://", "src=\"", "url(", "@import", " on", " style="] where word != " on" { #expect(!page.contains(word), "\(word)") }
        #expect(page.components(of: "<script").count == 2)
    }

    @Test func bothLanguagesHaveTheSameWords() {
        let parts = PageScript.words.components(of: "zh: {")
        #expect(parts.count == 2)
        #expect(keys(parts[0].components(of: "en: {")[1]) == keys(parts[1].components(of: "let language")[0]))
    }

    private func keys(_ text: String) -> [Substring] {
        text.matches(of: /([A-Za-z]+): "/).map { $0.output.1 }
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
