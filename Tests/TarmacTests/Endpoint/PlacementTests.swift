import Foundation
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

@Suite struct PlacementTests {
    struct Body: Codable, Equatable { var a = 1 }

    struct Placed: Codable, Equatable, Hashable, Sendable {
        @Path("user_id") var id: Int = 7
        @Query("q") var text: String = "x"
        @Query var page: Int? = 2
        @Header("X-Name") var name: String = "n"
        @Header var tag: String = "t"
        @Field var when = Date(timeIntervalSince1970: 0)
        @Secret var password: String = "p"
        @Secret("pin_code") var pin = 1
        var plain = true
    }

    @Test func wrappersSayPlacementAndName() throws {
        let list = try ParameterEncoder().encode(Placed())
        #expect(list.map(\.name) == ["user_id", "q", "page", "X-Name", "tag", "when", "password", "pin_code", "plain"])
        #expect(list.map(\.placement) == [.path, .query, .query, .header, .header, .field, .automatic, .automatic, .automatic])
        #expect(list.map(\.isSecret) == [false, false, false, false, false, false, true, true, false])
        #expect(list["when"] == .date(Date(timeIntervalSince1970: 0)))
    }

    struct Whole: Encodable { @WholeBody var order: Body; @Path var id: Int }

    @Test func aWholeBodyKeepsItsShape() throws {
        let list = try ParameterEncoder().encode(Whole(order: Body(), id: 1))
        #expect(list == ParameterList([Parameter("order", ["a": 1], placement: .body), Parameter("id", 1, placement: .path)]))
    }

    // MARK: Optionals

    struct Absent: Codable, Equatable {
        @Path var a: Int? = nil
        @Query("q") var b: String?
        @Header var c: Date? = nil
        @Field var d: Body? = nil
        @WholeBody var e: [Int]? = nil
        @Secret var f: String? = nil
        @Query @Secret var g: String? = nil
        @Query("h") @Secret var h: String?
        init() {}
    }

    @Test func aWrappedNilVanishesFromEveryEncoder() throws {
        #expect(try ParameterEncoder().encode(Absent()).isEmpty)
        #expect(String(decoding: try JSONEncoder().encode(Absent()), as: UTF8.self) == "{}")
    }

    @Test func aWrappedOptionalWithAValueIsThere() throws {
        var absent = Absent()
        absent.b = "x"
        absent.h = "y"
        let list = try ParameterEncoder().encode(absent)
        #expect(list == ParameterList([Parameter("q", "x", placement: .query), Parameter("h", "y", placement: .query, isSecret: true)]))
    }

    struct ByHand<Value: Encodable>: Encodable {
        enum Key: String, CodingKey { case v }
        @Query var v: Value
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(_v, forKey: .v)
        }
    }

    @Test func aWrappedNilVanishesFromGenericCodeToo() throws {
        #expect(try ParameterEncoder().encode(ByHand(v: Int?.none)).isEmpty)
        #expect(try ParameterEncoder().encode(ByHand(v: Secret(wrappedValue: Int?.none))).isEmpty)
        #expect(try ParameterEncoder().encode(ByHand(v: ParameterValue.null)).count == 1)
    }

    // MARK: Unset

    struct Unset: Encodable {
        @Query("q") var text: String
        @Header("X-T") @Secret var token: String
        init(text: String?, token: String) {
            if let text { self.text = text }
            self.token = token
        }
    }

    @Test func anInitializerMayAssignARenamedProperty() throws {
        let list = try ParameterEncoder().encode(Unset(text: "x", token: "t"))
        #expect(list == ParameterList([Parameter("q", "x", placement: .query), Parameter("X-T", "t", placement: .header, isSecret: true)]))
    }

    @Test func aPropertyThatNeverGotAValueIsNamed() {
        let error = #expect(throws: TarmacError.self) { try ParameterEncoder().encode(Unset(text: nil, token: "t")) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.path == "text")
    }

    // MARK: Nesting

    struct Paging: Encodable { @Query var page = 1; @Query("per_page") var size = 20 }
    struct Mixed: Encodable { @Header("X-A") var a = "h"; @Field("b2") var b = 1; @Secret var c = "s" }
    struct Outer: Encodable { var paging = Paging(); var mixed = Mixed(); var last = 0 }

    @Test func placedFieldsOfANestedValueBelongToTheCall() throws {
        let list = try ParameterEncoder().encode(Outer())
        let inner: [Parameter] = [Parameter("b2", 1, placement: .field), Parameter("c", "s", isSecret: true)]
        #expect(
            list
                == ParameterList([
                    Parameter("mixed", .object(inner)), Parameter("last", 0), Parameter("page", 1, placement: .query),
                    Parameter("per_page", 20, placement: .query), Parameter("X-A", "h", placement: .header),
                ]))
        #expect((["o": Outer()] as ParameterList).count == 4)
    }

    @Test func aPlacedFieldInsideAnArrayIsRefused() {
        let error = #expect(throws: TarmacError.self) { try ParameterEncoder().encode(["list": [Paging()]]) }
        #expect(error?.path == "list[0]")
    }

    struct SecretList: Encodable { var tokens: [Secret<String>] }

    @Test func anArrayOfSecretsIsASecret() throws {
        let list = try ParameterEncoder().encode(SecretList(tokens: [Secret(wrappedValue: "a")]))
        #expect(list == ParameterList([Parameter("tokens", ["a"], isSecret: true)]))
    }

    struct Composed: Encodable {
        @Query("q") @Secret("s") var a = "1"
        @Secret @Query("r") var b = "2"
    }

    @Test func wrappersNestEitherWay() throws {
        let list = try ParameterEncoder().encode(Composed())
        #expect(
            list
                == ParameterList([
                    Parameter("q", "1", placement: .query, isSecret: true), Parameter("r", "2", placement: .query, isSecret: true),
                ]))
    }

    struct Torn: Encodable { @Query @Header var a = "1" }
    struct Clash: Encodable { @Query("x") var a = 1; @Query("x") var b = 2 }
    struct Apart: Encodable { @Query("x") var a = 1; @Header("x") var b = 2 }

    @Test func contradictionsAreRefused() throws {
        #expect(throws: TarmacError.self) { try ParameterEncoder().encode(Torn()) }
        #expect(throws: TarmacError.self) { try ParameterEncoder().encode(Clash()) }
        #expect(try ParameterEncoder().encode(Apart()).count == 2)
    }

    // MARK: Other coders

    @Test func anotherEncoderSeesThePlainValues() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .iso8601
        let json = String(decoding: try encoder.encode(Placed()), as: UTF8.self)
        #expect(json == #"{"id":7,"name":"n","page":2,"password":"p","pin":1,"plain":true,"tag":"t","text":"x","when":"1970-01-01T00:00:00Z"}"#)
    }

    @Test func placedPropertiesAreDecoded() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let json = #"{"id":7,"name":"n","password":"p","pin":1,"plain":true,"tag":"t","text":"x","when":"1970-01-01T00:00:00Z"}"#
        var expected = Placed()
        expected.page = nil
        #expect(try decoder.decode(Placed.self, from: Data(json.utf8)) == expected)
        #expect(try decoder.decode(Absent.self, from: Data("{}".utf8)) == Absent())
        #expect(try decoder.decode(Absent.self, from: Data(#"{"a":null,"g":"x"}"#.utf8)).g == "x")
    }

    @Test func placedPropertiesAreHashable() {
        var other = Placed()
        #expect(Set([Placed(), other]).count == 1)
        other.text = "y"
        #expect(Set([Placed(), other]).count == 2)
    }

    /// Without `Encodable`, which is easily forgotten, nothing of an endpoint is sent.
    @Test func aPlacedPropertyOfAnEndpointThatIsNotEncodableIsAnError() async throws {
        struct Forgetful: Endpoint {
            typealias Value = Void
            static let route: Route = .post("/notes")
            @Field var title = "a"
        }
        struct Own: Endpoint {
            typealias Value = Void
            static let route: Route = .post("/notes")
            @Field var title = "a"
            func parameters() throws -> ParameterList { ["title": title] }
        }
        struct Plain: Endpoint {
            typealias Value = Void
            static let route: Route = .post("/notes")
            var id = 7
        }
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
        for _ in 0..<2 {
            let error = await #expect(throws: TarmacError.self) { try await client.send(Forgetful()) }
            #expect(error?.code == .invalidParameter && error?.reason.contains("title") == true, "\(String(describing: error))")
        }
        #expect(stub.requests.isEmpty)
        try await client.send(Own())
        try await client.send(Plain())
        #expect(stub.requests.count == 2)
        await client.shutdown()
    }
}
