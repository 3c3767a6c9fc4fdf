import Testing

@testable import TarmacJSON

@Suite struct JSONErrorTests {
    private func fault(_ text: String, _ options: JSONDocument.Options = .init()) -> JSONError? {
        #expect(throws: JSONError.self) { try JSONDocument(text, options: options) }
    }

    @Test func namesPathLineAndColumn() {
        let error = fault("{\n  \"data\": {\n    \"items\": [1, 2,\n      {\"id\": oops}]\n  }\n}")
        #expect(error?.path == ["data", "items", 2, "id"])
        #expect(error?.line == 4)
        #expect(error?.column == 14)
        #expect(error?.description.contains("$.data.items[2].id, line 4, column 14") == true)
    }

    @Test func linesEndWithAnyLineBreak() {
        #expect(fault("[1,\r\n2,\r3,\nx]")?.line == 4)
        #expect(fault("[1,\r\n2,\r3,\nx]")?.column == 1)
    }

    @Test(arguments: [
        #"{"password":"hunter2","x":oops}"#, #"{"x":oops,"password":"hunter2"}"#.replacing("oops,", with: "1,oops "),
        #"{"Pass-Word":"hunter2" oops}"#, #"{"access_token":["hunter2", oops]}"#, #"{"secret":{"a":"hunter2"},oops}"#,
        #"{"password":"hunter2\x"}"#, #"{"password":"hunter2"#, #"{"user":{"pin":"hunter2"},"b":tru}"#,
    ])
    func snippetHidesMaskedValues(_ text: String) {
        let error = fault(text)
        #expect(error?.snippet != nil)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func furtherNamesCanBeMasked() throws {
        var options = JSONDocument.Options()
        options.maskedKeys.insert("iban")
        #expect(fault(#"{"IBAN":"CH93 0076","x":oops}"#, options)?.description.contains("CH93") == false)
        let json = try JSON(parsing: #"{"iban":"CH93 0076","name":"ann"}"#, options: options)
        let masked = #expect(throws: JSONError.self) { try json.get("iban", as: Int.self) }
        #expect(masked?.description.contains("CH93") == false)
        let shown = #expect(throws: JSONError.self) { try json.get("name", as: Int.self) }
        #expect(shown?.description.contains("ann") == true)
    }

    /// Space behind what was cut off is no text either.
    @Test(arguments: ["[1,", "[1,\n", "[1 \r\n", "{\"a\": ", "tru\n"])
    func textsThatEndTooSoonSaySo(_ text: String) {
        #expect(fault(text)?.code == .unexpectedEnd)
        #expect(fault(text)?.found == "the end of the document")
    }

    @Test func snippetIsShortAndOfOneLine() {
        let error = fault("[\n" + String(repeating: "1,\n", count: 1000) + "x" + String(repeating: "\n,1", count: 1000) + "]")
        #expect((error?.snippet ?? "").utf8.count < 80)
        #expect(error?.snippet?.contains("\n") == false)
    }

    @Test func codesReadAsWords() {
        #expect(JSONError(.invalidUTF8).description == "invalid UTF-8 at $")
        #expect(JSONError(.unexpectedEnd, expected: "a value").description == "unexpected end: expected a value at $")
    }
}
