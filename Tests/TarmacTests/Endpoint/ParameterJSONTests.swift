import Foundation
import Tarmac
import TarmacCore
import Testing

@Suite struct ParameterJSONTests {
    private func json(_ list: ParameterList, dates: ParameterDateStrategy = .iso8601) throws -> String {
        String(decoding: try list.json(dates: dates), as: UTF8.self)
    }

    @Test func orderAndKindsAreKept() throws {
        let list: ParameterList = [
            "z": 1, "a": "x", "n": ParameterValue.null, "t": true, "l": [1, nil, 2], "o": ["y": 1, "x": [String]()] as ParameterList,
            "d": Data([1]), "u": UInt64.max, "e": ParameterList(),
        ]
        #expect(try json(list) == #"{"z":1,"a":"x","n":null,"t":true,"l":[1,null,2],"o":{"y":1,"x":[]},"d":"AQ==","u":18446744073709551615,"e":{}}"#)
        #expect(try json([:]) == "{}")
        #expect(try ParameterValue.array([1, "a"]).json() == Array(#"[1,"a"]"#.utf8))
    }

    @Test(arguments: ["", "\"\\/", "\u{0}\u{1F}\u{8}\t\n\u{C}\r\u{7F}\u{B}", "é中🏳️‍🌈\u{2028}", "e\u{301}", "</script>"])
    func stringsReadBackAsTheyWere(text: String) throws {
        let bytes = try (["k": text] as ParameterList).json()
        #expect(try JSONDecoder().decode([String: String].self, from: Data(bytes)) == ["k": text])
        let name = try ([text: "v"] as ParameterList).json()
        #expect(try JSONDecoder().decode([String: String].self, from: Data(name)) == [text: "v"])
    }

    @Test(arguments: [0, -0.0, 1, 1.5, 0.1, 1e15, 1e16, 1e20, 1e-7, 123456789.125, 1.7976931348623157e308, 2.0 / 3])
    func numbersAreWrittenAsJSONEncoderWritesThem(number: Double) throws {
        let expected = String(decoding: try JSONEncoder().encode(["k": number]), as: UTF8.self)
        #expect(try json(["k": number]) == expected)
    }

    @Test(arguments: ["0", "19.99", "-1234567890.0987654321", "123456789012345678901234567890", "1e-20", "1e30"])
    func decimalsAreWrittenAsJSONEncoderWritesThem(text: String) throws {
        let number = try #require(Decimal(string: text))
        let expected = String(decoding: try JSONEncoder().encode(["k": number]), as: UTF8.self)
        #expect(try json(["k": number]) == expected)
    }

    @Test func dates() throws {
        let list: ParameterList = ["d": Date(timeIntervalSince1970: 1.25)]
        #expect(try json(list) == #"{"d":"1970-01-01T00:00:01Z"}"#)
        #expect(try json(list, dates: .iso8601WithMilliseconds) == #"{"d":"1970-01-01T00:00:01.250Z"}"#)
        #expect(try json(list, dates: .secondsSince1970) == #"{"d":1.25}"#)
        #expect(try json(list, dates: .millisecondsSince1970) == #"{"d":1250}"#)
        #expect(try json(list, dates: .custom { _ in ["a": 1] }) == #"{"d":{"a":1}}"#)
    }

    @Test func twoParametersOfOneNameAreRefused() {
        let list = ParameterList([Parameter("a", 1), Parameter("a", 2, placement: .field)])
        let error = #expect(throws: TarmacError.self) { try list.json() }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "a")
        let nested = ParameterList([Parameter("o", .object((0..<40).map { Parameter("k\($0 % 39)", 1) }))])
        #expect(throws: TarmacError.self) { try nested.json() }
    }

    @Test func anObjectOfAnyEncodableMatchesJSONEncoder() throws {
        struct Inner: Encodable { var list: [Double]; var name: String? }
        struct Value: Encodable { var id: Int; var inner: Inner; var map: [String: [Int]]; var url: URL }
        let value = Value(id: 1, inner: Inner(list: [1, 2.5], name: nil), map: ["b": [1], "a": []], url: URL(string: "https://h/")!)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        let ours = try JSONSerializationFreeComparison(Data(ParameterEncoder().encode(value).json()))
        #expect(try ours == JSONSerializationFreeComparison(encoder.encode(value)))
    }

    /// Both texts read into the same type.
    private struct JSONSerializationFreeComparison: Equatable {
        struct Inner: Decodable, Equatable { var list: [Double]; var name: String? }
        struct Value: Decodable, Equatable { var id: Int; var inner: Inner; var map: [String: [Int]]; var url: URL }
        let value: Value
        init(_ data: Data) throws { value = try JSONDecoder().decode(Value.self, from: data) }
    }
}
