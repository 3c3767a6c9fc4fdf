import Tarmac
import TarmacJSON
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@Suite("BQRequest: parameters of an object", .timeLimit(.minutes(5)))
struct BQParameterTests {
    // BQ-B5: nested values are whole in JSON, a form and a query, an Optional is sent as its value, `nil` is left out, and names are those of
    // `CodingKeys`.
    @Test func nestedValuesGoWholeNilIsLeftOutAndKeysHaveNames() async throws {
        struct Base: Encodable, Sendable { var token = "t" }
        struct Save: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .post("/save")
            var base = Base()
            var note: String?
            var size: Int? = 3
            var userName = "ann"
            enum CodingKeys: String, CodingKey {
                case base, note, size
                case userName = "user_name"
            }
        }
        let stub = StubTransport.user
        try await Client(stub).send(Save())
        #expect(stub.requests.last?.text == #"{"base":{"token":"t"},"size":3,"user_name":"ann"}"#)
        try await Client(stub) { $0.bodyFormat = .form }.send(Save())
        #expect(stub.requests.last?.text == "base%5Btoken%5D=t&size=3&user_name=ann")
        _ = try await Client(stub).get("/save", Save(), as: JSON.self)
        #expect(stub.requests.last?.url.query == "base%5Btoken%5D=t&size=3&user_name=ann")
    }

    // BQ-B5: properties of a class above are sent where the class encodes them, as any Encodable does.
    @Test func inheritedPropertiesAreSent() async throws {
        class Common: Encodable {
            let appVersion = "3.2"
            enum CodingKeys: String, CodingKey { case appVersion }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(appVersion, forKey: .appVersion)
            }
        }
        final class Search: Common {
            let text = "cup"
            enum Keys: String, CodingKey { case text }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(text, forKey: .text)
            }
        }
        let list = try ParameterEncoder().encode(Search())
        #expect(list.map(\.name) == ["appVersion", "text"])
        let stub = StubTransport.user
        try await Client(stub).post("/search", body: .json(Search()))
        #expect(stub.requests.first?.text == #"{"appVersion":"3.2","text":"cup"}"#)
    }

    // BQ-B5: the compiler writes `encode(to:)` for the class that declares `Encodable`, with the properties of that class; a
    // subclass with properties of its own overrides it.
    @Test func whatTheCompilerEncodesOfAClassIsItsOwn() throws {
        class Common: Encodable { let appVersion = "3.2" }
        final class Search: Common { let text = "cup" }
        #expect(try ParameterEncoder().encode(Search()).map(\.name) == ["appVersion"])
    }

    // BQ-B5: a class may ask its container for the encoder of the class above: the properties of every class stand side by side, those of a
    // class in the middle too.
    @Test func theClassInTheMiddleIsSentByTheEncoderOfItsContainer() async throws {
        class Common: Encodable {
            let appVersion = "3.2"
            enum CodingKeys: String, CodingKey { case appVersion }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(appVersion, forKey: .appVersion)
            }
        }
        class Paged: Common {
            let page = 2
            enum PageKeys: String, CodingKey { case page }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: PageKeys.self)
                try container.encode(page, forKey: .page)
                try super.encode(to: container.superEncoder())
            }
        }
        final class Find: Paged {
            let text = "cup"
            enum TextKeys: String, CodingKey { case text }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKeys.self)
                try container.encode(text, forKey: .text)
                try super.encode(to: container.superEncoder())
            }
        }
        let (stub, list) = (StubTransport.user, try ParameterEncoder().encode(Find()))
        try await Client(stub).get("/find", list)
        #expect(stub.requests.last?.url.query == "text=cup&page=2&appVersion=3.2")
        // As a body of JSON too.
        try await Client(stub).post("/find", body: .json(Find()))
        #expect(stub.requests.last?.text == #"{"text":"cup","page":2,"appVersion":"3.2"}"#)
        // An encoder that the body names nests them as it does elsewhere.
        try await Client(stub).post("/find", body: .json(Find(), encoder: .json(TarmacJSONEncoder())))
        #expect(try JSON(parsing: stub.requests.last?.text ?? "") == ["text": "cup", "super": ["page": 2, "super": ["appVersion": "3.2"]]])
    }

    // BQ-B5: values without names are an error of the call, where a forced label would crash; nothing is sent.
    @Test func valuesWithoutNamesAreRefused() async {
        struct Save: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .post("/save")
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(7)
            }
        }
        let stub = StubTransport.user
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).send(Save()) }
        #expect(error?.code == .invalidParameter && stub.requests.isEmpty)
    }
}
