import HTTPTypes
import Testing

@testable import Tarmac__NAME__

@Suite("__NAME__: policy", .timeLimit(.minutes(5)))
struct __NAME__PolicyTests {
    private static let table: [(__NAME__Rule, HTTPFields, __NAME__Policy.Decision)] = [
        (.off, [:], .leave),
        (.text("blue"), [:], .send("blue")),
        (.text("blue"), [.tarmac__NAME__: "red"], .leave),
        (.text("blue"), [.accept: "text/plain"], .send("blue")),
    ]

    @Test(arguments: table)
    func aFieldIsSentUnlessThereIsOne(rule: __NAME__Rule, headers: HTTPFields, decision: __NAME__Policy.Decision) {
        #expect(__NAME__Policy(rule: rule).decide(on: headers) == decision)
    }

    @Test(arguments: [(__NAME__Rule.off, true), (.text("blue"), true), (.text(""), false), (.text("two\r\nlines"), false)])
    func onlyATextForAHeaderFieldIsValid(rule: __NAME__Rule, isValid: Bool) {
        #expect((rule.fault == nil) == isValid)
    }

    @Test func noOutputHasTheText() {
        #expect(__NAME__Rule.text("blue").description == "text" && __NAME__Rule.off.description == "off")
        var shown = "\(__NAME__Rule.text("blue"))"
        dump(__NAME__Rule.text("blue"), to: &shown)
        #expect(!shown.contains("blue"))
    }
}
