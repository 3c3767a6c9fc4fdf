import Foundation
import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import Testing

@Suite struct ParameterListTests {
    struct Point: Encodable { var x: Int; var y: Int }

    @Test func aLiteralTakesWhateverIsEncodable() throws {
        let point = Point(x: 1, y: 2)
        let page: Int? = nil
        let list: ParameterList = [
            "id": 7, "name": "ann", "at": point, "page": page, "tags": ["a", "b"], "map": ["k": 1], "none": ParameterValue.null,
            "mixed": ["a": 1, "b": "x"] as ParameterList,
        ]
        #expect(list.map(\.name) == ["id", "name", "at", "tags", "map", "none", "mixed"])
        #expect(list["at"] == ["x": 1, "y": 2])
        #expect(list["none"] == .null)
        #expect(list["mixed"] == ["a": 1, "b": "x"])
    }

    @Test func wrappersInALiteralSayThePlacement() {
        let list: ParameterList = ["X-A": Header(wrappedValue: "1"), "q": Query(wrappedValue: 2, "query"), "p": Secret(wrappedValue: "s")]
        #expect(list.map(\.placement) == [.header, .query, .automatic])
        #expect(list.map(\.name) == ["X-A", "query", "p"])
        #expect(list.map(\.isSecret) == [false, false, true])
    }

    @Test func aValueThatCannotBeEncodedIsAnErrorOfEveryUse() {
        let list: ParameterList = ["a": 1, "b": Double.nan]
        let filtered = list.filter { $0.name != "a" }
        #expect(throws: TarmacError.self) { try list.validate() }
        #expect(throws: TarmacError.self) { try filtered.validate() }
        #expect(throws: TarmacError.self) { try QueryEncoder().encode(filtered) }
        #expect(throws: TarmacError.self) { try FormEncoder().encode(list) }
        #expect(throws: TarmacError.self) { try list.json() }
        let outer: ParameterList = ["outer": list]
        let error = #expect(throws: TarmacError.self) { try outer.validate() }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "b")
    }

    @Test func subscriptingReplacesAppendsAndRemoves() {
        var list = ParameterList([Parameter("a", 1, placement: .query), Parameter("b", 2), Parameter("a", 3)])
        #expect(list["a"] == 1)
        list["a"] = 9
        #expect(list == ParameterList([Parameter("a", 9, placement: .query), Parameter("b", 2)]))
        list["c"] = "x"
        list["b"] = nil
        #expect(list.map(\.name) == ["a", "c"])
        #expect(list["zzz"] == nil)
    }

    @Test func settingEncodes() throws {
        var list: ParameterList = ["a": 1]
        try list.set("a", to: Point(x: 1, y: 2), placement: .field, isSecret: true)
        #expect(list == ParameterList([Parameter("a", ["x": 1, "y": 2], placement: .field, isSecret: true)]))
        try list.set("a", to: Int?.none)
        #expect(list.isEmpty)
        #expect(throws: TarmacError.self) { try list.set("a", to: Double.nan) }
    }

    @Test func sortingIsByUTF8AndStable() {
        let list = ParameterList([Parameter("b", 1), Parameter("a", 2), Parameter("Z", 3), Parameter("a", 4), Parameter("é", 5), Parameter("z", 6)])
        #expect(list.sorted().map(\.value) == [3, 2, 4, 1, 6, 5])
    }

    @Test func aListIsACollection() {
        var list: ParameterList = ["a": 1]
        list.append(Parameter("b", 2))
        list += [Parameter("c", 3)]
        list.removeAll { $0.name == "a" }
        list[0].name = "x"
        #expect(list.map(\.name) == ["x", "c"])
    }

    @Test func noDescriptionShowsAValue() {
        let list: ParameterList = ["a": "hunter2", "b": ["c": "hunter2"], "d": Secret(wrappedValue: "hunter2")]
        for text in shown(list) + shown(list[0]) + shown(["x": list[1]]) { #expect(!text.contains("hunter2")) }
        #expect("\(list)" == "[a: …, b: …, d: secret]")
    }

    @Test func secretsAreFoundAtEveryLevel() {
        let list: ParameterList = [
            "a": 1, "b": Secret(wrappedValue: 2), "c": ["d": Secret(wrappedValue: 3)], "e": [["f": Secret(wrappedValue: 4)]],
        ]
        #expect(list.secretNames == ["b", "d", "f"])
    }

    private func shown(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }

    @Test func anotherEncoderSeesAnOrdinaryObject() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let list: ParameterList = ["a": 1, "b": ["x", "y"], "c": ParameterValue.null, "d": ["k": true], "e": UInt64.max]
        let json = String(decoding: try encoder.encode(list), as: UTF8.self)
        #expect(json == #"{"a":1,"b":["x","y"],"c":null,"d":{"k":true},"e":18446744073709551615}"#)
    }

    // MARK: Long lists

    @Test func parametersSetOneByOneAreComparedAFewTimesEach() {
        let count = 10_000
        var list = ParameterList()
        for number in 0..<count { list["id\(number)"] = .int(Int64(number)) }
        #expect(list.count == count)
        for number in 0..<count { list["id\(number)"] = .int(Int64(-number)) }
        #expect(list.names.steps < 10 * count)
        #expect(list["id5000"] == .int(-5000))
        #expect(list["id10000"] == nil)
        #expect(list.count == count)
    }

    /// Long enough for an index, and changed in every way beside the setters it serves.
    @Test func aLongListFollowsTheSameRules() {
        var (list, right) = (ParameterList(), [Parameter]())
        func setPlainly(_ parameter: Parameter) {
            guard let index = right.firstIndex(where: { $0.name == parameter.name }) else { return right.append(parameter) }
            right[index] = parameter
            let later = right[(index + 1)...].filter { $0.name != parameter.name }
            right = right[...index] + later
        }
        for round in 0..<2_000 {
            let (name, value) = ("p\(round * 7 % 300)", ParameterValue.int(Int64(round)))
            switch round % 23 {
            case 20:
                list.append(Parameter(name, value))
                right.append(Parameter(name, value))
            case 21 where round % 4 == 0:
                list.remove(name)
                right.removeAll { $0.name == name }
            case 22:
                let place = round % list.count
                list[place] = Parameter(name, value)
                right[place] = Parameter(name, value)
            case 0 where round % 5 == 0 && list.count > 4:
                list.removeSubrange(1..<3)
                right.removeSubrange(1..<3)
            default:
                list.set(Parameter(name, value))
                setPlainly(Parameter(name, value))
            }
            #expect(list.first(named: name) == right.first { $0.name == name })
        }
        #expect(Array(list) == right)
        #expect(list == ParameterList(right))
    }
}
