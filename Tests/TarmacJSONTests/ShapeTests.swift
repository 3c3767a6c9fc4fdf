import Testing

@testable import TarmacJSON

@Suite struct ShapeTests {
    private static let user: Shape = [
        "id": .integer(in: 1...), "name": .string, "nick": .string.optional, "role": .oneOf("admin", "guest"),
        "tags": .array(of: .string), "manager": .object(["id": .integer]).nullable,
    ]

    private func fault(_ shape: Shape, _ text: String) throws -> JSONError? {
        let json = try JSON(parsing: text)
        do {
            try shape.check(json)
            #expect(shape.matches(json))
            return nil
        } catch {
            #expect(!shape.matches(json))
            #expect(error.code == .shapeMismatch)
            return error
        }
    }

    @Test(arguments: [
        #"{"id":1,"name":"a","role":"guest","tags":[],"manager":null}"#,
        #"{"tags":["x"],"nick":null,"id":1e2,"extra":1,"name":"a","manager":{"id":2},"role":"admin"}"#,
    ])
    func valuesOfTheShapePass(_ text: String) throws {
        #expect(try fault(Self.user, text) == nil)
    }

    // YTK-B13: a null is refused in an object and in an array alike, unless the shape says nullable.
    @Test(
        arguments: [
            (#"{"name":"a"}"#, ["id"], "integer in 1…", "nothing"),
            (#"{"id":0}"#, ["id"], "integer in 1…", "number 0"),
            (#"{"id":1,"name":null}"#, ["name"], "string", "null"),
            (#"{"id":1,"name":"a","nick":7}"#, ["nick"], "string or null", "number 7"),
            (#"{"id":1,"name":"a","role":"root"}"#, ["role"], #""admin" | "guest""#, #"string "root""#),
            (#"{"id":1,"name":"a","role":"admin","tags":["x",null]}"#, ["tags", 1], "string", "null"),
            (#"{"id":1,"name":"a","role":"admin","tags":{}}"#, ["tags"], "array", "an object"),
            (#"{"id":1,"name":"a","role":"admin","tags":[],"manager":{}}"#, ["manager", "id"], "integer", "nothing"),
            ("[]", [], "object", "an array"),
        ] as [(String, [JSONPath.Component], String, String)])
    func faultsNamePathExpectedAndFound(_ text: String, _ path: [JSONPath.Component], _ expected: String, _ found: String) throws {
        let error = try fault(Self.user, text)
        #expect(error?.path == JSONPath(path))
        #expect(error?.expected == expected || error?.expected == "string" && expected == "string or null")
        #expect(error?.found == found)
        #expect(error?.offset != nil)
    }

    @Test(
        arguments: [
            (.any, "null", true), (.null, "null", true), (.null, "0", false), (.bool, "true", true), (.bool, "1", false),
            (.integer, "1.0", true), (.integer, "1.5", false), (.integer, "1e400", true), (.integer, "123456789012345678901234567890", true),
            (.integer(in: 1...3), "3", true), (.integer(in: 1...3), "4", false), (.number, "1.5", true), (.number, "\"1\"", false),
            (.number(in: 0...1), "0.5", true), (.number(in: 0...1), "1.1", false), (.array, "[1,[]]", true), (.array, "{}", false),
            (.array(of: .integer, count: 1...2), "[1,2]", true), (.array(of: .integer, count: 1...2), "[]", false),
            (.object, "{\"a\":1}", true), (.map(of: .integer), "{\"a\":1,\"b\":2}", true), (.map(of: .integer), "{\"a\":1,\"b\":null}", false),
            (.oneOf(0, 1, "x", nil), "1.0", true), (.oneOf(0, 1, "x", nil), "null", true), (.oneOf(0, 1), "2", false), (.oneOf([1, 2]), "[1,2]", true),
            (.either(.string, .integer), "7", true), (.either(.string, .integer), "true", false), (.string.nullable, "null", true),
            (Shape.object(["a": .any]).closed(), "{\"a\":1}", true), (Shape.object(["a": .any]).closed(), "{\"a\":1,\"b\":2}", false),
            (.object(["a": .any]), "{\"a\":null}", true), (.object(["a": .any]), "{}", false), (.object(["a": .string.nullable]), "{}", false),
        ] as [(Shape, String, Bool)])
    func eachRuleHolds(_ shape: Shape, _ text: String, _ holds: Bool) throws {
        #expect((try fault(shape, text) == nil) == holds)
    }

    @Test func alternativesReportTheOneThatMatchedFurthest() throws {
        let shape = Shape.either(["kind": .oneOf("circle"), "radius": .number], ["kind": .oneOf("square"), "side": .number])
        #expect(try fault(shape, #"{"kind":"square","side":1}"#) == nil)
        #expect(try fault(shape, #"{"kind":"circle","radius":"x"}"#)?.path == ["radius"])
        #expect(try fault(.either(.string, .integer), "true")?.expected == "string or integer")
    }

    private static let circle: Shape = ["kind": .oneOf("circle"), "radius": .number]
    private static let square: Shape = ["kind": .oneOf("square"), "side": .number]

    /// YTK-B13: the fault of the alternative that was meant, wherever its parts stand in the text.
    @Test(
        arguments: [
            (.either(circle, square), #"{"kind":"circle"}"#, ["radius"], "number", "nothing"),
            (.either(circle, square), #"{"kind":"circle","radios":3}"#, ["radius"], "number", "nothing"),
            (.either(circle, square), #"{"radius":"x","kind":"circle"}"#, ["radius"], "number", #"string "x""#),
            (.either(square, circle), #"{"radius":"x","kind":"circle"}"#, ["radius"], "number", #"string "x""#),
            (.either(circle, square), #"{"kind":"square","side":null}"#, ["side"], "number", "null"),
            (.either(circle, square), #"{"radius":1}"#, ["kind"], #""circle""#, "nothing"),
            (.either(circle, square), #"{"side":1}"#, ["kind"], #""square""#, "nothing"),
            (.either(circle, square), #"{"kind":"line","side":1}"#, ["kind"], #""circle" | "square""#, #"string "line""#),
            (.either(circle, square), "[]", [], "object", "an array"),
            (.either(circle.nullable, square), #"{"kind":"circle"}"#, ["radius"], "number", "nothing"),
            (.either(.either(square, circle), .string), #"{"kind":"circle"}"#, ["radius"], "number", "nothing"),
            (.either(Shape.object(["kind": .oneOf("a")]).closed(), ["kind": .oneOf("b")]), #"{"kind":"a","extra":1}"#, ["extra"], "no such member", "a member"),
            (.either(.array(of: .integer, count: 3...3), .array(of: .string)), "[1,2]", [], "array of 3 elements", "an array of 2 elements"),
            (.either(.array(of: .string), .array(of: .integer)), #"[1,2,"x"]"#, [2], "integer", #"string "x""#),
            (.either(["u": .object(["id": .integer])], ["e": .object(["c": .integer])]), #"{"e":{"c":"x"}}"#, ["e", "c"], "integer", #"string "x""#),
            (.either(.map(of: .string), .map(of: .array)), #"{"a":[],"b":1}"#, ["b"], "array", "number 1"),
            (["shape": .either(circle, square)], #"{"shape":{"kind":"square"}}"#, ["shape", "side"], "number", "nothing"),
        ] as [(Shape, String, [JSONPath.Component], String, String)])
    func alternativesReportTheOneThatFitsBest(_ shape: Shape, _ text: String, _ path: [JSONPath.Component], _ expected: String, _ found: String) throws {
        let error = try fault(shape, text)
        #expect(error?.path == JSONPath(path))
        #expect(error?.expected == expected)
        #expect(error?.found == found)
    }

    /// Alternatives within alternatives must not double the work at each level.
    @Test func nestedAlternativesAreCheckedInLinearTime() throws {
        var (shape, text) = (Shape.integer, "true")
        for _ in 0..<60 {
            shape = .either(["a": shape], ["b": .string])
            text = #"{"a":\#(text)}"#
        }
        #expect(try fault(shape, text)?.path.components.count == 60)
    }

    @Test func rangesWithoutAnEndHaveNone() throws {
        for text in ["18446744073709551615", "123456789012345678901234567890", "1e400"] { #expect(try fault(.integer(in: 1...), text) == nil) }
        for text in ["-18446744073709551615", "0", "18446744073709551615.5", "\"1\""] { #expect(try fault(.integer(in: 1...), text) != nil) }
        #expect(try fault(.integer(in: 1...Int64.max), "18446744073709551615") != nil)
        #expect(try fault(.number(in: 0...Double.infinity), "1e400") == nil)
        #expect(try fault(.number(in: 0...Double.infinity), "-1e400") != nil)
        #expect(try fault(.number(in: 0...1e308), "1e400") != nil)
    }

    @Test func wrongCountsNameBoth() throws {
        let error = try fault(.array(of: .string, count: 2...2), #"["a"]"#)
        #expect(error?.expected == "array of 2 elements")
        #expect(error?.found == "an array of 1 element")
        #expect(try fault(.array(of: .string, count: 1...3), "[]")?.expected == "array of 1…3 elements")
        #expect(Shape.array(of: .string, count: 1...3).description == "[string] of 1…3")
    }

    @Test func printingIsUnambiguous() {
        let odd = Shape.object(["a: b, c": .string, "x?": .integer.optional, "": .any, "é_1": .any])
        #expect(odd.description == #"{"a: b, c": string, "x?"?: integer, "": anything, é_1: anything}"#)
        #expect(Shape.oneOf().description == "nothing")
        #expect(Shape.either().description == "nothing")
        #expect(Shape.object(["a": .string.optional.nullable]).description == "{a?: string}")
    }

    @Test func wrappedShapesKeepWhatTheyAre() throws {
        #expect(Shape.object(["a": .string.optional.nullable]).matches(try JSON(parsing: "{}")))
        let closed = Shape.object(["a": .any]).nullable.closed()
        #expect(closed.matches(.null))
        #expect(try fault(closed, #"{"a":1,"b":1}"#)?.path == ["b"])
        #expect(try fault(Shape.object(["a": .any]).optional.closed(), #"{"a":1,"b":1}"#)?.path == ["b"])
    }

    @Test func shapesCompose() throws {
        let page = Shape.object(["items": .array(of: Self.user), "next": .string.optional])
        let more = page.merging(["next": .integer, "total": .integer]).closed()
        #expect(try fault(more, #"{"items":[],"next":1,"total":0}"#) == nil)
        #expect(try fault(more, #"{"items":[],"next":"x","total":0}"#)?.path == ["next"])
        #expect(try fault(more, #"{"items":[],"next":1,"total":0,"x":1}"#)?.path == ["x"])
    }

    @Test func checksBuiltAndMissingValues() throws {
        #expect(Self.user.matches(["id": 1, "name": "a", "role": "guest", "tags": [], "manager": nil]))
        let json = try JSON(parsing: "{}")
        #expect(Shape.string.optional.matches(json["gone"]))
        let error = #expect(throws: JSONError.self) { try Shape.string.check(json["gone"]) }
        #expect(error?.path == ["gone"])
    }

    @Test func readsLikeWhatItMeans() {
        #expect(
            Self.user.description
                == #"{id: integer in 1…, name: string, nick?: string, role: "admin" | "guest", tags: [string], manager: {id: integer}?}"#)
        #expect(Shape.map(of: .either(.string, .number).nullable).description == "{*: (string | number)?}")
        #expect(Shape.object(["a": .any]).closed().description == "{a: anything}!")
    }

    @Test func manyMembersAreFoundInAnyOrder() throws {
        let text = "{" + (0..<400).map { #""key\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        #expect(Shape.object(["key399": .integer, "key0": .integer, "key200": .integer, "gone": .any.optional]).matches(try JSON(parsing: text)))
    }
}
