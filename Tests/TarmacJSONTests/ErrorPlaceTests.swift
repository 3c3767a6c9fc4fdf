import Foundation
import Testing

@testable import TarmacJSON

/// Every decoding error names its place: also those a type throws in its own `init(from:)`.
@Suite struct ErrorPlaceTests {
    private enum Color: String, Decodable { case red }
    private struct Paint: Decodable { var id: Int; var color: Color }
    private struct Answer: Decodable { var items: [Paint] }

    private struct Even: Decodable {
        private enum Key: CodingKey { case number, list }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            guard try container.decode(Int.self, forKey: .number).isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(forKey: .number, in: container, debugDescription: "odd")
            }
            if let list = try? container.nestedUnkeyedContainer(forKey: .list), list.count == 1 {
                throw DecodingError.typeMismatch(Int.self, .init(codingPath: list.codingPath + [AnyCodingKey(intValue: 0)], debugDescription: "one"))
            }
        }
    }

    private func failure<T: Decodable>(_ type: T.Type, _ text: String, _ decoder: TarmacJSONDecoder = .init()) -> JSONError? {
        let error = #expect(throws: DecodingError.self) { try decoder.decode(type, from: Array(text.utf8)) }
        return error?.place
    }

    @Test func unknownCaseNamesPathAndPlace() {
        let error = failure(Answer.self, "{\n\"items\": [{\"id\":1,\"color\":\"red\"},\n {\"id\":2,\"color\":\"blue\"}]}")
        #expect(error?.code == .notRepresentable)
        #expect(error?.path == ["items", 1, "color"])
        #expect(error?.line == 3)
        #expect(error?.column == 18)
        #expect(error?.offset == 53)
        #expect(error?.snippet?.hasSuffix("{\"id\":2,\"color\":…") == true)
        #expect(error?.description.contains("blue") == false)
    }

    @Test func theCodingPathOfTheTypesErrorIsFollowed() {
        #expect(failure([Even].self, #"[{"number":2},{"number":3}]"#)?.offset == 24)
        #expect(failure([Even].self, #"[{"number":2,"list":[7]}]"#)?.path == [0, "list", 0])
        #expect(failure(Even.self, #"{"number":2,"list":["a"]}"#)?.offset == 20)
    }

    @Test func aMissingSuperclassNamesItsMember() {
        struct Heir: Decodable {
            private enum Key: CodingKey { case base }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                _ = try Paint(from: container.superDecoder(forKey: .base))
            }
        }
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode([Heir].self, from: Array(#"[{"id":1}]"#.utf8)) }
        #expect(error?.context?.codingPath.map(\.stringValue) == ["Index 0", "base"])
        #expect(error?.place?.path == [0, "base"])
        #expect(error?.place?.offset == 1)
    }

    @Test func thePathStaysThatOfTheDecodedPart() throws {
        let root = try JSONDocument(#"{"data":{"items":[{"id":1,"color":"blue"}]}}"#).root
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Answer.self, from: root["data"]) }
        guard case .dataCorrupted(let context) = error else { return #expect(Bool(false)) }
        #expect(context.codingPath.map(\.stringValue) == ["items", "Index 0", "color"])
        #expect((context.underlyingError as? JSONError)?.path == ["data", "items", 0, "color"])
    }

    @Test func strategiesOfOnesOwnNameTheirPlace() {
        var decoder = TarmacJSONDecoder()
        decoder.dateDecodingStrategy = .formatted(DateFormatter())
        #expect(failure(Date.self, "  \"never\"", decoder)?.offset == 2)
        #expect(failure([Date].self, "[\"never\"]", decoder)?.path == [0])
    }

    @Test func aTypesOwnCauseAndOtherErrorsStay() {
        struct Own: Error {}
        struct Failing: Decodable {
            init(from decoder: any Decoder) throws {
                throw try decoder.singleValueContainer().decode(Bool.self)
                    ? Own() : DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "", underlyingError: Own()))
            }
        }
        #expect(throws: Own.self) { try TarmacJSONDecoder().decode(Failing.self, from: Array("true".utf8)) }
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Failing.self, from: Array("false".utf8)) }
        guard case .dataCorrupted(let context) = error else { return #expect(Bool(false)) }
        #expect(context.underlyingError is Own)
    }

    // MARK: Secrets

    @Test func ownWordsOfAMaskedValueAreNotKept() {
        struct Login: Decodable { var token: Color }
        let error = #expect(throws: DecodingError.self) { try TarmacJSONDecoder().decode(Login.self, from: Array(#"{"token":"hunter2"}"#.utf8)) }
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    static let secretsBefore = [
        #"{"password":"hunter2","n":"x"}"#, #"{"password":["hunter2"],"n":"x"}"#, #"{"token":{"a":[1,{"b":"hunter2"}]},"n":"x"}"#,
        #"{"user":{"pin":"hunter2"},"n":"x"}"#, #"{"secret":["\#(String(repeating: "hunter2", count: 30))"],"n":"x"}"#,
        #"{"secret":["\#(String(repeating: "hunter2\",\"", count: 30))"],"n":"x"}"#, #"{"secret":{"a":"hunter2","n":"x"},"n":"x"}"#,
        #"{"p\u0061ssword":"hunter2","n":"x"}"#, #"{"secret":"\#(String(repeating: "hunter2", count: 30))"   ,"n":"x"}"#,
    ]

    @Test(arguments: secretsBefore)
    func snippetsOfValuesHideWhatIsMasked(_ text: String) throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(text).root.get("n", as: Int.self) }
        #expect(error?.snippet?.contains("•••") == true)
        #expect(error?.snippet?.hasSuffix("\"n\":…") == true)
        #expect(error?.description.contains("hunter") == false)
    }

    @Test func whatFollowsASecretIsShown() throws {
        let text = #"{"password":"hunter2","name":"ann","n":"x"}"#
        let error = #expect(throws: JSONError.self) { try JSONDocument(text).root.get("n", as: Int.self) }
        #expect(error?.snippet == #"{"password"•••,"name":"ann","n":…"#)
    }

    @Test func anErrorBelowASecretQuotesNothingOfIt() throws {
        let json = try JSONDocument(#"{"secret":{"a":"hunter2","n":"hunter2"}}"#).root
        let error = #expect(throws: JSONError.self) { try json.get("secret", "n", as: Int.self) }
        #expect(error?.found == "string •••")
        #expect(error?.description.contains("hunter") == false)
    }

    @Test func getNamesThePlaceOfWhatIsMissing() throws {
        let json = try JSONDocument("{\"a\":\n {\"b\":1}}").root
        let error = #expect(throws: JSONError.self) { try json.get("a", "c", "d", as: Int.self) }
        #expect(error?.path == ["a", "c"])
        #expect(error?.line == 2)
        #expect(error?.found == "nothing")
    }

    @Test func getDoesNotRepeatATypesOwnWords() throws {
        struct Telling: Error { let value: String }
        struct Type: Decodable {
            init(from decoder: any Decoder) throws { throw Telling(value: try decoder.singleValueContainer().decode(String.self)) }
        }
        let error = #expect(throws: JSONError.self) { try JSONDocument(#"{"word":"hunter2"}"#).root.get("word", as: Type.self) }
        #expect(error?.offset == 8)
        #expect(error?.found == "a string")
    }
}
