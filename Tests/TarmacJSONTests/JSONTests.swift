import Foundation
import Testing

@testable import TarmacJSON

@Suite struct JSONTests {
    private static let text = """
        {"status":1,"ok":true,"none":null,"ratio":0.5,"big":18446744073709551615,"name":"ann \\u00e9\\n",
         "list":[1,"two",[3],{"four":4}],"user":{"name":"bob","tags":[]},"esc\\u0061ped":7}
        """
    private let json: JSON

    init() throws {
        json = try JSON(parsing: Self.text)
    }

    @Test func readsByKeyIndexPathAndMember() {
        #expect(json["status"].int == 1)
        #expect(json.user.name.string == "bob")
        #expect(json["list"][1].string == "two")
        #expect(json["list", 3, "four"].int == 4)
        #expect(json[JSONPath(["list", 2, 0])].int == 3)
        #expect(json["name"].string == "ann é\n")
        #expect(json["escaped"].int == 7)
    }

    @Test func accessorsGiveNilForOtherKinds() {
        #expect(json["status"].string == nil)
        #expect(json["name"].int == nil)
        #expect(json["ratio"].int == nil)
        #expect(json["ok"].int == nil)
        #expect(json["status"].bool == nil)
        #expect(json["status"].array == nil)
        #expect(json["list"].object == nil)
        #expect(json["big"].int64 == nil)
        #expect(json["big"].uint64 == .max)
        #expect(json["ratio"].double == 0.5)
        #expect(json["ratio"].decimal == Decimal(string: "0.5"))
        #expect(json["big"].numberText == "18446744073709551615")
    }

    @Test func missingIsNotNullButEqualsIt() {
        #expect(json["gone"].isMissing)
        #expect(!json["gone"].isNull)
        #expect(json["none"].isNull)
        #expect(json["gone"] == nil)
        #expect(json["none"] == nil)
        #expect(json["status"] != nil)
        #expect(json["gone"]["deeper"][3].isMissing)
        #expect(json["list"][9].isMissing)
        #expect(json["list"][-1].isMissing)
    }

    @Test func numbersBeyondDoubleAreComparedByValue() throws {
        let digits = String(repeating: "0", count: 400)
        let same = try ["1e400", "10e399", "1\(digits)", "0.1E+401", "1\(digits).00"].map { try JSON(parsing: $0) }
        let others = try ["1e401", "-1e400", "1\(digits.dropLast())1", "2e400"].map { try JSON(parsing: $0) }
        #expect(Set(same).count == 1)
        #expect(Set(same + others).count == 5)
        for number in same { #expect(number == same[0] && !others.contains(number)) }
    }

    @Test func comparesWithLiteralsInClosures() {
        let isSuccess: @Sendable (JSON) -> Bool = { $0["status"] == 1 }
        #expect(isSuccess(json))
        let wanted = "bob"
        let number = 1
        #expect(json["user"]["name"] == wanted)
        #expect(json["status"] == number)
        #expect(json["ok"] == true)
        #expect(json["ratio"] == 0.5)
        #expect(json["list"] == [1, "two", [3], ["four": 4]])
        #expect(json["user"] == ["tags": [], "name": "bob"])
        #expect(json["status"] != "1")
    }

    @Test(arguments: [("1", "1.0"), ("100", "1e2"), ("0", "-0"), ("1.50", "15e-1"), ("18446744073709551615", "18446744073709551615.0")])
    func numbersAreEqualByValue(_ left: String, _ right: String) throws {
        #expect(try JSON(parsing: left) == JSON(parsing: right))
        #expect(try JSON(parsing: left).hashValue == JSON(parsing: right).hashValue)
    }

    @Test(arguments: [("9007199254740993", "9007199254740992"), ("9007199254740993", "9007199254740992.0"), ("1", "true"), ("\"1\"", "1")])
    func differentValuesAreNotEqual(_ left: String, _ right: String) throws {
        #expect(try JSON(parsing: left) != JSON(parsing: right))
    }

    @Test func getThrowsWithTheFullPath() throws {
        #expect(try json.get("list", 3, "four", as: Int.self) == 4)
        #expect(try json["list"].get(0, as: Int.self) == 1)
        let name: String = try json.get("user", "name")
        #expect(name == "bob")
        #expect(try json.get("gone", as: Int?.self) == nil)
        #expect(try json.get("none", as: Int?.self) == nil)
        let wrong = #expect(throws: JSONError.self) { try json["list"].get(3, "four", as: String.self) }
        #expect(wrong?.code == .typeMismatch)
        #expect(wrong?.path == ["list", 3, "four"])
        let missing = #expect(throws: JSONError.self) { try json.get("user", "age", "years", as: Int.self) }
        #expect(missing?.code == .missing)
        #expect(missing?.path == ["user", "age"])
        let unfit = #expect(throws: JSONError.self) { try json.get("ratio", as: Int.self) }
        #expect(unfit?.code == .notRepresentable)
        struct User: Decodable { var name: Int }
        let deep = #expect(throws: JSONError.self) { try json.get("user", as: User.self) }
        #expect(deep?.path == ["user", "name"])
    }

    @Test func iteratesInOrder() {
        #expect(json["list"].elements.map(\.kind) == [.number, .string, .array, .object])
        #expect(json["user"].members.map(\.key) == ["name", "tags"])
        #expect(Array(json["status"].elements).isEmpty)
        #expect(json["list"].count == 4)
        #expect(json.count == 9)
        #expect(json["list"].array?.count == 4)
        #expect(json["user"].object?["name"] == "bob")
    }

    @Test func firstOfEqualKeysCountsEverywhere() throws {
        let json = try JSON(parsing: #"{"a":1,"b":2,"\u0061":3,"a":4}"#)
        #expect(json["a"] == 1)
        #expect(json.object?["a"] == 1)
        #expect(json.members.map(\.key) == ["a", "b", "a", "a"])
        #expect(try TarmacJSONDecoder().decode([String: Int].self, from: json) == ["a": 1, "b": 2])
        var edited = json
        edited["c"] = 5
        #expect(edited.description == #"{"a":1,"b":2,"c":5}"#)
    }

    @Test func buildsAndEdits() {
        var body: JSON = ["name": "ann", "tags": ["a", "b"], "age": 7, "ratio": 0.25, "none": nil, "ok": true]
        body["address"]["city"] = "Bern"
        body.address.zip = 3000
        body["tags"][1] = "c"
        body["tags"][2] = "d"
        body["tags"].append("e")
        body["age"] = JSON(8)
        body.remove("none")
        body["tags"].remove(at: 0)
        body["list", 0, "x"] = 1
        #expect(
            body.description
                == #"{"name":"ann","tags":["c","d","e"],"age":8,"ratio":0.25,"ok":true,"address":{"city":"Bern","zip":3000},"list":[{"x":1}]}"#)
        body["ok"] = body["gone"]
        #expect(body["ok"].isMissing)
    }

    @Test func editingADocumentLeavesItAlone() {
        var copy = json
        copy["user"]["name"] = "eve"
        copy["list"][0] = "one"
        #expect(copy["user"]["name"] == "eve")
        #expect(copy["list"][0] == "one")
        #expect(copy["list"][3]["four"] == 4)
        #expect(json["user"]["name"] == "bob")
    }

    @Test func mergesAsRFC7396Says() throws {
        let cases = [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"["a","b"]"#, #"{"a":"b"}"#, #"{"a":"b"}"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
        for (target, patch, result) in cases {
            var json = try JSON(parsing: target)
            json.merge(try JSON(parsing: patch))
            #expect(json.description == result)
        }
    }

    @Test func writesWhatItRead() throws {
        #expect(try JSON(parsing: json.description) == json)
        #expect(try JSON(parsing: json.prettyPrinted) == json)
        #expect(json["big"].description == "18446744073709551615")
        #expect(try JSON(parsing: "[1.50,1E2]").description == "[1.50,1E2]")
        #expect(
            try JSON(parsing: #"{"b":{"d":1,"c":[]},"a":2}"#).text([.sortedKeys, .prettyPrinted]) == """
                {
                  "a": 2,
                  "b": {
                    "c": [],
                    "d": 1
                  }
                }
                """)
        #expect(throws: JSONError.self) { try JSON(Double.nan).bytes() }
    }

    @Test func goesThroughFoundationsCoders() throws {
        let data = try JSONEncoder().encode(json)
        let back = try JSONDecoder().decode(JSON.self, from: data)
        #expect(back == json)
        #expect(try TarmacJSONDecoder().decode(JSON.self, from: data) == json)
        #expect(try JSON(parsing: TarmacJSONEncoder().encodeBytes(["x": json]))["x"] == json)
    }

    @Test func largeBuiltObjectsKeepOrderAndUniqueness() {
        var json: JSON = [:]
        for index in 0..<100 { json["key\(index)"] = JSON(index) }
        json["key50"] = "changed"
        json.remove("key3")
        #expect(json.count == 99)
        #expect(json["key50"] == "changed")
        #expect(json["key99"] == 99)
        #expect(json["key3"].isMissing)
        #expect(json.members.map(\.key).prefix(4) == ["key0", "key1", "key2", "key4"])
    }

    @Test func documentsComeFromAnyOwner() throws {
        for text in ["[1]", "[" + String(repeating: "\"some text\",", count: 50) + "1]"] {
            #expect(try JSON(parsing: Data(text.utf8)).elements.reversed().first == 1)
            #expect(try JSON(parsing: Data(("xx" + text).utf8).dropFirst(2)).elements.reversed().first == 1)
            #expect(try JSON(parsing: text).elements.reversed().first == 1)
            #expect(try JSON(parsing: Substring("xx" + text).dropFirst(2).description).elements.reversed().first == 1)
        }
    }
}
