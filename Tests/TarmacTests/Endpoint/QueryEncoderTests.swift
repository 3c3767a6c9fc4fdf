import Foundation
import Tarmac
import Testing

@Suite struct QueryEncoderTests {
    private func query(_ encoder: QueryEncoder = QueryEncoder(), _ list: ParameterList) throws -> String {
        try encoder.encode(list).replacing("%5B", with: "[").replacing("%5D", with: "]")
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a+b", "a%2Bb"), ("é", "%C3%A9"), ("-._~", "-._~"), (":/?#[]@!$&'()*+,;=", "%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D"),
        ("100%", "100%25"), ("\r\n\u{0}", "%0D%0A%00"), ("", ""),
    ])
    func onlyUnreservedCharactersStay(text: String, expected: String) throws {
        #expect(try QueryEncoder().encode(["v": text]) == "v=\(expected)")
        #expect(try QueryEncoder().encode([text: "v"]) == "\(expected)=v")
    }

    @Test func bracketsAreEncoded() throws {
        #expect(try QueryEncoder(arrays: .brackets).encode(["a": [1]]) == "a%5B%5D=1")
    }

    @Test(arguments: [
        (QueryEncoder.Arrays.repeatKey, "a=1&a=2,3&b=1"), (.brackets, "a[]=1&a[]=2,3&b=1"), (.indexed, "a[0]=1&a[1]=2,3&b=1"),
        (.commaSeparated, "a=1,2%2C3&b=1"), (.pipe, "a=1%7C2,3&b=1"),
    ])
    func arrays(strategy: QueryEncoder.Arrays, expected: String) throws {
        let list: ParameterList = ["a": ["1", "2,3"], "b": 1, "none": [Int]()]
        let text = try query(QueryEncoder(arrays: strategy), list)
        #expect((strategy == .commaSeparated ? text : text.replacing("%2C", with: ",")) == expected)
    }

    struct Item: Encodable { var n: Int }

    @Test(arguments: [
        (QueryEncoder.Arrays.repeatKey, "a[0][n]=1&a[1][n]=2"), (.brackets, "a[][n]=1&a[][n]=2"), (.indexed, "a[0][n]=1&a[1][n]=2"),
    ])
    func arraysOfObjects(strategy: QueryEncoder.Arrays, expected: String) throws {
        #expect(try query(QueryEncoder(arrays: strategy), ["a": [Item(n: 1), Item(n: 2)]]) == expected)
    }

    @Test(arguments: [QueryEncoder.Arrays.commaSeparated, .pipe])
    func whatCannotBeJoinedIsNamed(strategy: QueryEncoder.Arrays) {
        let list: ParameterList = ["o": ["a": [Item(n: 1)]]]
        let error = #expect(throws: TarmacError.self) { try QueryEncoder(arrays: strategy).encode(list) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "o.a")
    }

    @Test func booleans() throws {
        #expect(try QueryEncoder().encode(["a": true, "b": false]) == "a=true&b=false")
        #expect(try QueryEncoder(numericBooleans: true).encode(["a": true, "b": [false]]) == "a=1&b=0")
    }

    @Test func nils() throws {
        let list: ParameterList = ["a": ParameterValue.null, "b": [1, nil], "c": 1]
        #expect(try QueryEncoder().encode(list) == "b=1&c=1")
        #expect(try QueryEncoder(nils: .emptyValue).encode(list) == "a=&b=1&b=&c=1")
        #expect(try QueryEncoder(nils: .keyOnly).encode(list) == "a&b=1&b&c=1")
        #expect(try QueryEncoder(arrays: .commaSeparated, nils: .emptyValue).encode(list) == "a=&b=1,&c=1")
        #expect(try QueryEncoder(arrays: .commaSeparated).encode(list) == "b=1&c=1")
    }

    @Test func nesting() throws {
        let list: ParameterList = ["a": ["b": ["c": [1, 2]]]]
        #expect(try query(QueryEncoder(), list) == "a[b][c]=1&a[b][c]=2")
        #expect(try query(QueryEncoder(dottedNames: true), list) == "a.b.c=1&a.b.c=2")
        #expect(try query(QueryEncoder(arrays: .indexed, dottedNames: true), ["a": [Item(n: 1)]]) == "a[0].n=1")
        #expect(try QueryEncoder().encode(["a": [String: Int]()]) == "")
    }

    @Test func spaces() throws {
        #expect(try QueryEncoder(plusForSpaces: true).encode(["a b": "c d+e"]) == "a+b=c+d%2Be")
    }

    @Test func order() throws {
        let list: ParameterList = ["b": 1, "a": ["d": 1, "c": 2] as ParameterList, "B": 2]
        #expect(try query(QueryEncoder(), list) == "b=1&a[d]=1&a[c]=2&B=2")
        #expect(try query(QueryEncoder(sortsNames: true), list) == "B=2&a[c]=2&a[d]=1&b=1")
    }

    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"), (1_709_210_096.789, "2024-02-29T12:34:56Z", "2024-02-29T12:34:56.789Z"),
        (-0.25, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.750Z"), (951_782_400, "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"),
        (-2_203_891_200, "1900-03-01T00:00:00Z", "1900-03-01T00:00:00.000Z"), (253_402_300_799, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
        (-62_167_219_200, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"), (1.9996, "1970-01-01T00:00:01Z", "1970-01-01T00:00:02.000Z"),
    ])
    func timestamps(seconds: Double, whole: String, fractional: String) throws {
        let list: ParameterList = ["d": Date(timeIntervalSince1970: seconds)]
        let plain: (QueryEncoder) throws -> String = { try $0.encode(list).replacing("%3A", with: ":") }
        #expect(try plain(QueryEncoder()) == "d=\(whole)")
        #expect(try plain(QueryEncoder(dates: .iso8601WithMilliseconds)) == "d=\(fractional)")
    }

    // From 1583 on: before, Foundation counts in the Julian calendar, RFC 3339 does not.
    @Test func timestampsAgreeWithFoundation() throws {
        for seconds in stride(from: -12_200_000_000, to: 253_402_300_800, by: 100_003_777) {
            let date = Date(timeIntervalSince1970: Double(seconds))
            let list: ParameterList = ["d": date]
            #expect(try list.json() == Array("{\"d\":\"\(date.formatted(.iso8601))\"}".utf8))
        }
    }

    @Test func otherDates() throws {
        let list: ParameterList = ["d": Date(timeIntervalSince1970: 1.5)]
        #expect(try QueryEncoder(dates: .secondsSince1970).encode(list) == "d=1.5")
        #expect(try QueryEncoder(dates: .millisecondsSince1970).encode(list) == "d=1500")
        #expect(try QueryEncoder(dates: .custom { "t\($0.timeIntervalSince1970)" }).encode(list) == "d=t1.5")
        #expect(try QueryEncoder(dates: .custom { .date($0) }).encode(list) == "d=1970-01-01T00%3A00%3A01Z")
        #expect(try query(QueryEncoder(dates: .custom { ["s": .double($0.timeIntervalSince1970)] }), list) == "d[s]=1.5")
    }

    @Test(arguments: [ParameterDateStrategy.iso8601, .iso8601WithMilliseconds, .millisecondsSince1970])
    func datesOutOfRangeAreNamed(strategy: ParameterDateStrategy) {
        for seconds in [1e300, -1e300, Double.greatestFiniteMagnitude] {
            let list: ParameterList = ["a": ["d": Date(timeIntervalSince1970: seconds)]]
            let error = #expect(throws: TarmacError.self) { try QueryEncoder(dates: strategy).encode(list) }
            #expect(error?.path == "a.d")
        }
    }

    @Test func numbersAndData() throws {
        let list: ParameterList = [
            "i": Int.min, "u": UInt64.max, "d": 1.0, "e": 1e20, "f": Float(0.1), "x": Decimal(string: "12.30")!, "b": Data([251, 255, 254]),
        ]
        #expect(try QueryEncoder().encode(list) == "i=-9223372036854775808&u=18446744073709551615&d=1&e=1e%2B20&f=0.1&x=12.3&b=%2B%2F%2F%2B")
    }

    @Test func nonFiniteNumbersMadeByHandAreRefused() {
        let list = ParameterList([Parameter("a", .array([.double(.nan)]))])
        let error = #expect(throws: TarmacError.self) { try QueryEncoder().encode(list) }
        #expect(error?.path == "a[0]")
        #expect(throws: TarmacError.self) { try list.json() }
    }

    @Test func anEmptyListIsAnEmptyText() throws { #expect(try QueryEncoder().encode([:]) == "") }

    // MARK: Templates

    @Test func parametersBecomeTemplateValues() throws {
        let encoder = QueryEncoder()
        #expect(try encoder.templateValue(of: 7, named: "a") == "7")
        #expect(try encoder.templateValue(of: true, named: "a") == "true")
        #expect(try encoder.templateValue(of: .null, named: "a") == nil)
        #expect(try encoder.templateValue(of: [1, .null, "x"], named: "a") == ["1", "x"])
        #expect(try encoder.templateValue(of: ["k": 1, "n": .null, "a": "x"], named: "a") == ["k": "1", "a": "x"])
        #expect(try encoder.templateValue(of: .date(Date(timeIntervalSince1970: 0)), named: "a") == "1970-01-01T00:00:00Z")
    }

    @Test func whatATemplateCannotExpressIsNamed() {
        for value in [[[1]], [["a": 1]], ["a": [1]], .double(.nan)] as [ParameterValue] {
            let error = #expect(throws: TarmacError.self) { try QueryEncoder().templateValue(of: value, named: "x") }
            #expect(error?.code == .invalidParameter)
            #expect(error?.path == "x")
        }
    }

    @Test func scalarsHaveAText() throws {
        #expect(try QueryEncoder(numericBooleans: true).text(of: true, named: "a") == "1")
        #expect(try QueryEncoder().text(of: .null, named: "a") == nil)
        #expect(throws: TarmacError.self) { try QueryEncoder().text(of: [1], named: "a") }
    }
}
