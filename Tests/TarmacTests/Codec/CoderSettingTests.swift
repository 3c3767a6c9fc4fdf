import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Coders as settings")
struct CoderSettingTests {
    struct Visit: Codable, Equatable, Sendable { var userName: String; var seenAt: Date }

    struct AddVisit: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/visits")
        var userName: String
        var seenAt: Date
        var tags: [String: Double] = ["b": 0.5]
    }

    struct PutVisit: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/visits")
        @WholeBody var visit: Visit
    }

    private static let text = #"{"user_name":"ann","seen_at":0}"#
    private static let visit = Visit(userName: "ann", seenAt: Date(timeIntervalSince1970: 0))

    private static let foundation: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    private static let tarmac: TarmacJSONDecoder = {
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }()

    static let decoders: [BodyDecoder] = [.json(tarmac), .foundation(foundation)]

    private func client(_ text: String, _ type: String = "application/json", _ configure: @escaping @Sendable (inout Options) -> Void) -> Client {
        Client(transport: .stub { _ in .json(text, headers: [.contentType: type]) }, configure: configure)
    }

    @Test(arguments: decoders)
    func bothDecodersTakeTheirStrategies(_ decoder: BodyDecoder) async throws {
        let plain = client(Self.text) { $0.decoder = decoder }
        #expect(try await plain.get("http://127.0.0.1/v", as: Visit.self) == Self.visit)
    }

    @Test(arguments: decoders)
    func bothDecodersReadThePayloadOfAnEnvelope(_ decoder: BodyDecoder) async throws {
        let wrapped = client(#"{"ok":true,"data":\#(Self.text)}"#) {
            $0.decoder = decoder
            $0.envelope = Envelope(success: { $0["ok"] == true }, payload: "data")
        }
        #expect(try await wrapped.get("http://127.0.0.1/v", as: Visit.self) == Self.visit)
    }

    @Test(arguments: decoders)
    func bothDecodersFailWithThePath(_ decoder: BodyDecoder) async {
        let wrong = client(#"[{"user_name":7,"seen_at":0}]"#) { $0.decoder = decoder }
        let error = await #expect(throws: TarmacError.self) { try await wrong.get("http://127.0.0.1/v", as: [Visit].self) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.path?.hasPrefix("$[0].user") == true)
        #expect(error?.cause(as: DecodingError.self) != nil)
    }

    @Test func aFailureSaysWhatWasFoundAndWhere() async {
        let wrong = client("[{\n  \"user_name\": 7}]") { $0.decoder = .json(Self.tarmac) }
        let error = await #expect(throws: TarmacError.self) { try await wrong.get("http://127.0.0.1/v", as: [Visit].self) }
        #expect(error?.path == "$[0].user_name")
        #expect(error?.reason.hasSuffix("expected String, found a number in line 2, column 16") == true)
        #expect(error?.cause(as: JSONError.self)?.found == "number 7")
    }

    @Test func foundationsDecoderKeepsItsOwnGrammar() async throws {
        #if !canImport(Darwin)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let lenient = client("[1,2,] // two") { $0.decoder = .foundation(decoder) }
        #expect(try await lenient.get("http://127.0.0.1/v", as: [Int].self) == [1, 2])
        #endif
    }

    @Test func foundationsDecoderSeesTheShapeChecked() async {
        let checked = client(Self.text) {
            $0.decoder = .foundation(Self.foundation)
            $0.shape = ["user_name": .integer]
        }
        let error = await #expect(throws: TarmacError.self) { try await checked.get("http://127.0.0.1/v", as: Visit.self) }
        #expect(error?.code == .shapeMismatch)
    }

    @Test func decoderOfOnesOwnReadsWhatIsNotJSON() async throws {
        let lines = BodyDecoder(name: "lines") { _, payload in try payload.text.split(separator: "\n").map(String.init) }
        let other = client("a\nb", "text/csv") {
            $0.decoder = lines
            $0.acceptableContentTypes = .only("text/csv")
        }
        #expect(try await other.get("http://127.0.0.1/v", as: [String].self) == ["a", "b"])
    }

    // MARK: Encoding

    private func sent(_ endpoint: some Endpoint, _ configure: @escaping @Sendable (inout Options) -> Void = { _ in }) async throws -> String {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "http://127.0.0.1")], configure: configure)
        _ = try await client.landed(for: endpoint)
        let request = try #require(stub.requests.first)
        #expect(request.headers[.contentType] == "application/json")
        guard case .bytes(let body) = request.body.content else { return "no bytes" }
        return String(decoding: body.data, as: UTF8.self)
    }

    private static let encoders: (foundation: JSONEncoder, tarmac: TarmacJSONEncoder) = {
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        foundation.dateEncodingStrategy = .secondsSince1970
        foundation.outputFormatting = .sortedKeys
        var tarmac = TarmacJSONEncoder()
        tarmac.keyEncodingStrategy = .convertToSnakeCase
        tarmac.dateEncodingStrategy = .secondsSince1970
        tarmac.outputFormatting = .sortedKeys
        return (foundation, tarmac)
    }()

    private static let add = AddVisit(userName: "ann", seenAt: Date(timeIntervalSince1970: 0))

    @Test func parametersAreWrittenByTheEncoderThatIsSet() async throws {
        let standard = try await sent(Self.add)
        #expect(standard.hasPrefix(#"{"userName":"ann","seenAt":"1970-01-01T00:00:00"#))
        let expected = #"{"seen_at":0,"tags":{"b":0.5},"user_name":"ann"}"#
        #expect(try await sent(Self.add) { $0.encoder = .foundation(Self.encoders.foundation) } == expected)
        #expect(try await sent(Self.add) { $0.encoder = .json(Self.encoders.tarmac) } == expected)
        #expect(try await sent(PutVisit(visit: Self.visit)) { $0.encoder = .foundation(Self.encoders.foundation) } == #"{"seen_at":0,"user_name":"ann"}"#)
    }

    @Test func bodyOfOnesOwnTakesAnEncoder() async throws {
        let body = try Body.json(Self.visit, encoder: .foundation(Self.encoders.foundation))
        #expect(try await sent(.post("/visits", body: body, as: Void.self)) == #"{"seen_at":0,"user_name":"ann"}"#)
        var order: JSON = ["price": try JSON(parsing: "12.50")]
        order["lines"][0]["id"] = 7
        #expect(try await sent(.post("/visits", body: .json(order), as: Void.self)) == #"{"price":12.50,"lines":[{"id":7}]}"#)
    }

    @Test func whatCannotBeEncodedIsRefusedBeforeItIsSent() async {
        struct Broken: Error {}
        let broken = BodyEncoder(name: "broken") { _ in throw Broken() }
        let error = await #expect(throws: TarmacError.self) { try await sent(Self.add) { $0.encoder = broken } }
        #expect(error?.code == .invalidParameter)
        #expect(error?.attempts == 0)
        #expect(error?.cause(as: Broken.self) != nil)
        #expect(throws: TarmacError.self) { try Body.json(["x": JSON(Double.nan)] as JSON) }
    }
}
