import Foundation
import Testing

@testable import TarmacJSON

/// Edits that do nothing change nothing, whatever stands there.
@Suite struct EditingTests {
    private static func leave(_ json: inout JSON) {}

    private static let edits: [(name: String, edit: @Sendable (inout JSON) -> Void)] = [
        ("remove below", { $0["a"]["b"].remove("c") }),
        ("remove a member there is none of", { $0["a"].remove("gone") }),
        ("remove far below", { $0["gone"]["b"]["c"].remove("d") }),
        ("remove at", { $0["a"]["b"].remove(at: 0) }),
        ("remove beyond", { $0["a"].remove(at: 9) }),
        ("lend", { leave(&$0["a"]["b"]) }),
        ("lend an element", { leave(&$0["a"][9]) }),
        ("lend what is there", { leave(&$0["a"]) }),
        ("lend by name", { leave(&$0.a.b.c) }),
        ("assign what is missing", { $0["a"]["b"] = $0["gone"] }),
        ("assign by path", { $0[["a", "b"]] = $0["gone"] }),
        ("merge what is missing", { $0["a"]["b"].merge($0["gone"]) }),
        ("merge into what is there", { $0["a"].merge($0["gone"]) }),
        ("append what is missing", { $0["a"].append($0["gone"]) }),
        ("a negative place", { $0["a"][-1] = 1 }),
    ]

    @Test(arguments: [
        #"{"a":"text"}"#, #"{"a":[1,2]}"#, "{}", #"{"a":null}"#, #"{"a":5}"#, #"{"a":{"x":1}}"#, #"{"a":{"x":1,"x":2},"a":3}"#, #""text""#, "null", "[1]",
    ])
    func anEditThatDoesNothingChangesNothing(_ text: String) throws {
        let parsed = try JSON(parsing: text)
        for (name, edit) in Self.edits {
            var json = parsed
            edit(&json)
            #expect(json.description == text, "\(name)")
        }
        // The same on a built value, whose members are taken out and put back.
        var built: JSON = ["z": 0]
        built["v"] = parsed
        let before = built.description
        for (name, edit) in Self.edits {
            edit(&built["v"])
            #expect(built.description == before, "\(name)")
        }
    }

    @Test func editsStillReachWhatIsThere() throws {
        var json = try JSON(parsing: #"{"a":"text","b":{"c":[1,{"d":2}]}}"#)
        json["a"]["b"] = 1
        json["b"]["c"][1]["d"] = 3
        json["b"]["c"][2] = "new"
        json["b"].remove("gone")
        json["n"]["m"].append(1)
        #expect(json.description == #"{"a":{"b":1},"b":{"c":[1,{"d":3},"new"]},"n":{"m":[1]}}"#)
        json["b"]["c"] = json["gone"]
        json["a"].remove("b")
        #expect(json.description == #"{"a":{},"b":{},"n":{"m":[1]}}"#)
    }
}
