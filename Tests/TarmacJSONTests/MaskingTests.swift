import Testing

@testable import TarmacJSON

@Suite struct MaskingTests {
    private enum Kind: String, Decodable { case one }

    @Test func aValueThatIsNoCaseIsNotQuoted() throws {
        let json = try JSONDocument(#"{"kind": "hunter2secret"}"#).root
        let error = #expect(throws: JSONError.self) { try json.get("kind", as: Kind.self) }
        #expect(error.map { "\($0)".contains("hunter2secret") } == false)
    }

    @Test(arguments: ["password", "client_secret", "refresh-token", "credentials"])
    func aNameWrittenInEscapesIsASecretsName(_ name: String) {
        let escaped = name.utf8.map { "\\u00" + String($0, radix: 16) }.joined()
        let error = #expect(throws: JSONError.self) { try JSONDocument(#"{"\#(escaped)":"hunter2","x":oops}"#) }
        #expect(error?.snippet?.contains("•••") == true)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test(arguments: [400, 3000])
    func aNameOfAnyLengthIsMasked(_ length: Int) throws {
        let name = String(repeating: "k", count: length)
        let options = JSONDocument.Options(maskedKeys: [name])
        let error = #expect(throws: JSONError.self) { try JSONDocument(#"{"\#(name)":"hunter2","x":oops}"#, options: options) }
        #expect(error?.description.contains("hunter2") == false)
        let json = try JSON(parsing: #"{"\#(name)":"hunter2","x":1}"#, options: options)
        let other = #expect(throws: JSONError.self) { try json.get("x", as: [Int].self) }
        #expect(other?.description.contains("hunter2") == false)
    }

    /// A name in the text of a string is nobody's key, so the whole text is left out.
    @Test(arguments: [
        #"{"body":"{\"password\":\"hunter2\"}","x":oops}"#, #"{"body":" [{\"password\":\"hunter2\"}]","x":oops}"#,
        #"{"body":"\n\t{\"password\":\"hunter2\"}","x":oops}"#, #"{"body":"\u007b\"password\":\"hunter2\"}","x":oops}"#,
        #"{"x":"{\"password\":\"hunter2\"}\x"}"#, #"["{\"password\":\"hunter2\"}"#, #"[1,"{\"password\":\"hunter2\",\q"#,
        #""{\"password\":\"hunter2\"}"#,
        #"[{"body":"{\"a\":1,\"password\":\"hunter2\",\"long\":\"0123456789\"}"},oops]"#,
    ])
    func jsonInAStringIsNotQuoted(_ text: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(text) }
        #expect(error?.description.contains("hunter2") == false, "\(error?.description ?? "")")
    }

    @Test func jsonInAStringIsNotQuotedByOtherErrors() throws {
        let json = try JSON(parsing: #"{"body":"{\"password\":\"hunter2\"}","x":1}"#)
        for path in [["body"], ["x"]] as [JSONPath] {
            let error = #expect(throws: JSONError.self) { try json.get(path, as: [Int].self) }
            #expect(error?.description.contains("hunter2") == false)
        }
        let plain = #expect(throws: JSONError.self) { try JSON(parsing: #"{"a":"text","x":oops}"#) }
        #expect(plain?.snippet?.contains("text") == true)
    }

    @Test func builtValuesOfAnyDepthAreMaskedWhenShown() {
        var json: JSON = ["password": "hunter2"]
        for _ in 0..<600 { json = [json] }
        let text = json.text { $0 == "password" ? "•••" : nil }
        #expect(!text.contains("hunter2"))
        #expect(text.contains("•••"))
    }

    /// A dictionary may have secrets for keys: below a secret's name no key is shown.
    @Test func keysBelowASecretsNameAreNotShown() throws {
        let text = #"{"holders":[{"password":{"hunter2":{"n":"x"}}}]}"#
        typealias Tokens = [String: [[String: [String: [String: Int]]]]]
        let json = try JSON(parsing: text)
        let decoding = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Tokens.self, from: json) }
        #expect(decoding.map { "\($0)".contains("hunter2") } == false)
        guard case .typeMismatch(_, let context)? = decoding else { return #expect(Bool(false), "\(decoding as Any)") }
        #expect(context.codingPath.map(\.stringValue) == ["holders", "Index 0", "password", "•••", "•••"])
        let below = json["holders"][0]["password"]["hunter2"]
        let inner = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode([String: Int].self, from: below) }
        guard case .typeMismatch(_, let inside)? = inner else { return #expect(Bool(false), "\(inner as Any)") }
        #expect(inside.codingPath.map(\.stringValue) == ["•••"])
        let getting = #expect(throws: JSONError.self) { try json.get("holders", as: Tokens.Value.self) }
        #expect(getting?.path == ["holders", 0, "password", "•••", "•••"])
        let shape = #expect(throws: JSONError.self) { try (["holders": .array(of: ["password": .map(of: .map(of: .integer))])] as Shape).check(json) }
        #expect(shape?.description.contains("hunter2") == false)
        let parsing = #expect(throws: JSONError.self) { try JSON(parsing: #"{"password":{"hunter2":[{"hunter2":oops}]}}"#) }
        #expect(parsing?.path == ["password", "•••", 0, "•••"])
        #expect(parsing?.description.contains("hunter2") == false)
    }

    /// A closed shape names the member that is too much, which it does not know.
    @Test func aSuperfluousKeyBelowASecretsNameIsNotShown() throws {
        let shape: Shape = ["password": Shape.object([:]).closed(), "other": Shape.object([:]).closed().optional]
        for text in [#"{"password":{"hunter2":1}}"#, #"{"password":{"\u0068unter2":1}}"#] {
            let error = #expect(throws: JSONError.self) { try shape.check(JSON(parsing: text)) }
            #expect(error?.path == ["password", "•••"])
            #expect(error?.description.contains("hunter2") == false)
        }
        let list: Shape = ["password": .array(of: Shape.object([:]).closed())]
        let deeper = #expect(throws: JSONError.self) { try list.check(["password": [["hunter2": 1]]]) }
        #expect(deeper?.path == ["password", 0, "•••"])
        let plain = #expect(throws: JSONError.self) { try shape.check(JSON(parsing: #"{"password":{},"other":{"name":1}}"#)) }
        #expect(plain?.path == ["other", "name"])
    }

    @Test func whatIsMissingBelowASecretsNameShowsNoKeyOnTheWay() throws {
        let json = try JSON(parsing: #"{"password":{"hunter2":{}}}"#)
        for (_, value) in json["password"].members {
            let error = #expect(throws: JSONError.self) { try value.get("n", as: Int.self) }
            #expect(error?.path == ["password", "•••", "n"])
            #expect(error?.description.contains("hunter2") == false)
        }
    }

    @Test func aTypesOwnWordsDoNotQuoteJSONInAString() throws {
        let json = try JSON(parsing: #"{"role":"{\"password\":\"hunter2\"}","list":" [\"hunter2\"]","word":"two"}"#)
        for key in ["role", "list"] {
            let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Kind.self, from: json[key]) }
            #expect(error.map { "\($0)".contains("hunter2") } == false)
        }
        let plain = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Kind.self, from: json["word"]) }
        #expect(plain.map { "\($0)".contains("two") } == true)
    }

    @Test func aTypesOwnErrorBelowASecretsNameShowsNoKey() throws {
        let json = try JSON(parsing: #"{"password":{"hunter2":"hunter2"}}"#)
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode([String: [String: Kind]].self, from: json) }
        guard case .dataCorrupted(let context)? = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(context.codingPath.map(\.stringValue) == ["password", "•••"])
        #expect((context.underlyingError as? JSONError)?.offset == 23)
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test func anErrorAtTheBeginningShowsNoText() {
        let error = #expect(throws: JSONError.self) { try JSONDocument("oops") }
        #expect(error?.snippet == nil)
        #expect(error?.description.hasSuffix("(offset 0)") == true)
    }
}
