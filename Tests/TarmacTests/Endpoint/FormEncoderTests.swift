import Tarmac
import TarmacCore
import Testing

@Suite struct FormEncoderTests {
    @Test(arguments: [
        ("a b", "a+b"), ("a+b", "a%2Bb"), ("*-._", "*-._"), ("~", "%7E"), ("é", "%C3%A9"), ("!'()", "%21%27%28%29"), ("\r\n", "%0D%0A"),
    ])
    func charactersAreEncodedAsTheURLStandardSays(text: String, expected: String) throws {
        #expect(try FormEncoder().encode(["v": text]) == "v=\(expected)")
        #expect(try FormEncoder().encode([text: "v"]) == "\(expected)=v")
    }

    @Test func strategiesApply() throws {
        let list: ParameterList = ["b": [1, 2], "a": ParameterValue.null]
        #expect(try FormEncoder().encode(list) == "b=1&b=2")
        let encoder = FormEncoder(QueryEncoder(arrays: .commaSeparated, nils: .emptyValue, plusForSpaces: false, sortsNames: true))
        #expect(try encoder.encode(list) == "a=&b=1%2C2")
    }

    @Test func theContentTypeHasAName() { #expect(FormEncoder.contentType == "application/x-www-form-urlencoded") }
}
