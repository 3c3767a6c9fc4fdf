import Tarmac
import TarmacCore
import TarmacJSON
import Testing

/// A `JSON` as a parameter goes through `ParameterEncoder`, and is written as it was.
@Suite("JSON as parameters")
struct JSONParameterTests {
    private func written(_ text: String) throws -> String {
        String(decoding: try ParameterEncoder().value(of: JSON(parsing: text)).json(), as: UTF8.self)
    }

    @Test(arguments: [
        "[123456789012345678901234567890]", "[0.1234567890123456789]", "[18446744073709551615,-9223372036854775808,0.1,true,null]",
        #"{"b":"x","a":[{"c":1}]}"#,
    ])
    func valuesAreWrittenAsTheyWere(_ text: String) throws {
        #expect(try written(text) == text)
    }

    @Test func firstOfEqualKeysCounts() throws {
        #expect(try written(#"{"a":1,"a":2}"#) == #"{"a":1}"#)
    }

    @Test func numbersThatNoTypeHoldsAreRefused() {
        let error = #expect(throws: TarmacError.self) { try written(#"{"big":1e400}"#) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path?.contains("big") == true)
    }
}
