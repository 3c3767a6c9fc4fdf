import Foundation
import Testing

@testable import TarmacJSON

/// Errors about values that were built or edited: their place there, and nothing of them.
@Suite struct BuiltValueErrorTests {
    private func error<T: Decodable>(_ json: JSON, _ path: JSONPath, _ type: T.Type) -> JSONError? {
        do {
            _ = try json.get(path, as: type)
            return nil
        } catch {
            return error
        }
    }

    private static let built: JSON = ["user": ["name": "ann", "password": "hunter2", "tags": [1, "hunter2"]]]

    private static func edited() throws -> JSON {
        var json = try JSON(parsing: #"{"user":{"name":"ann","password":"hunter2","tags":[1,"hunter2"]}}"#)
        json["user"]["new"] = 1
        return json
    }

    @Test(
        arguments: [
            (["user", "nope"], "$.user.nope", "nothing"), (["user", "tags", 7], "$.user.tags[7]", "nothing"),
            (["user", "name", "x"], "$.user.name.x", "nothing"), (["user", "gone", "x"], "$.user.gone", "nothing"),
            (["user", "password"], "$.user.password", "a string"), (["user", "tags", 1], "$.user.tags[1]", "a string"),
            (["user"], "$.user", "an object"),
        ] as [(JSONPath, String, String)])
    func errorsNameTheWholePathAndQuoteNothing(_ path: JSONPath, _ place: String, _ found: String) throws {
        for json in [Self.built, try Self.edited()] {
            let error = error(json, path, Int.self)
            #expect(error?.path.description == place)
            #expect(error?.found == found)
            #expect(error.map { !"\($0)".contains("hunter2") } == true)
            #expect(error?.offset == nil)
        }
    }

    @Test func faultsInsideATypeAreNamedFromTheValue() throws {
        for json in [Self.built, try Self.edited()] {
            let error = error(json, ["user", "tags"], [Int].self)
            #expect(error?.path == ["user", "tags", 1])
            #expect(error?.code == .typeMismatch)
            #expect(error?.found == "a string")
            #expect(self.error(json, ["user", "password"], Bool.self)?.path == ["user", "password"])
        }
    }

    @Test func movedValuesAreNamedByWhereTheyAre() throws {
        var json = try JSON(parsing: #"{"a":{"deep":[10,20]},"x":"hunter2","o":{"p":"hunter2","q":1}}"#)
        json["b"] = json["a"]["deep"]
        json["password"] = json["x"]
        json["token"] = json["o"]
        #expect(error(json, ["b", 1], String.self)?.path == ["b", 1])
        #expect(error(json, ["b"], [String].self)?.path == ["b", 0])
        for path in [["password"], ["token", "q"], ["token", "gone"], ["token"]] as [JSONPath] {
            let error = error(json, path, [Bool].self)
            #expect(error?.path == path)
            #expect(error.map { !"\($0)".contains("hunter2") } == true)
        }
    }

    @Test func builtValuesAreNotQuotedWhereverTheyAreRead() throws {
        let secret = Self.built["user"]["password"]
        #expect(error(secret, [], Int.self).map { !"\($0)".contains("hunter2") } == true)
        let decoding = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Int.self, from: secret) }
        #expect(decoding.map { !String(reflecting: $0).contains("hunter2") } == true)
        let shape = #expect(throws: JSONError.self) { try Shape.object(["user": .object(["name": .integer])]).check(Self.built) }
        #expect(shape?.path == ["user", "name"])
        #expect(shape?.found == "a string")
        #expect(shape?.offset == nil)
    }

    @Test func whatCannotBeWrittenIsNamedByItsPath() {
        let json: JSON = ["a": ["b": [1, JSON(Double.nan)]]]
        let error = #expect(throws: JSONError.self) { try json.bytes() }
        #expect(error?.path == ["a", "b", 1])
        let missing: JSON = ["a": [1, json["gone"]]]
        let other = #expect(throws: JSONError.self) { try missing.bytes() }
        #expect(other?.path == ["a", 1])
        let encoding = #expect(throws: EncodingError.self) { try TarmacJSONEncoder().encodeBytes(["v": json]) }
        guard case .invalidValue(_, let context)? = encoding else { return }
        #expect(context.codingPath.map(\.stringValue) == ["v", "a", "b", "Index 1"])
    }
}
