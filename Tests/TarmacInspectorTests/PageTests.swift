import Testing

@testable import TarmacInspector

@Suite struct PageTests {
    private func value(_ name: String, _ answer: Answer) -> String? { answer.headers.first { $0.0 == name }?.1 }

    @Test func everyAnswerHasTheProtectingFields() {
        for answer in [Answer.page(), .json([UInt8]("{}".utf8)), .har([]), .lockedPage(), .refused(.gone), .refused(.gone, isLast: true)] {
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

    @Test func pageWithoutATokenHasNoCallAndAScriptOfItsOwn() throws {
        let page = Answer.lockedPage(), policy = try #require(value("Content-Security-Policy", page))
        guard case .bytes(let bytes) = page.content else { return #expect(Bool(false)) }
        let text = String(decoding: bytes, as: UTF8.self), nonce = try #require(policy.split(separator: "'").first { $0.hasPrefix("nonce-") }).dropFirst(6)
        #expect(page.status == 401 && page.isLast && value("Connection", page) == "close")
        #expect(text.contains("<script nonce=\"\(nonce)\">") && !text.contains("/api/") && !text.contains("https://"))
    }

    @Test(arguments: Refusal.Code.allCases)
    func reasonHasAChineseSentence(code: Refusal.Code) { #expect(PageScript.reasons.contains(" \(code.rawValue): \"")) }

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

    /// A name of a word is in quotes, in `word("…")`, in `data-word` or in a list of names. `landed` is a state of the server.
    @Test func everyWordIsUsed() {
        let english = PageScript.words.components(of: "zh: {")[0].components(of: "en: {")[1]
        let rest = PageScript.text.components(of: "let language =")[1] + PageMarkup.text
        for word in keys(english) where word != "landed" {
            #expect(rest.contains("\"\(word)\"") || rest.contains("\(word)(panel)"), "\(word)")
        }
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
