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
}
