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

private struct Layered: Endpoint {
    typealias Value = Void
    static let route: Route = .get("/layered")
    func configure(_ options: inout Options) { options.timeout = .seconds(9) }
}

@Suite("QSPNetworking: what it configures", .timeLimit(.minutes(5)))
struct QSPConfigurationTests {
    // QSP-1, QSP-34; QSP-B2: no later setting takes the limit away, and all settings of the service apply.
    @Test func theLimitOfAServiceEndsItsCalls() async throws {
        let (time, stub) = (ManualTime(), StubTransport.user)
        let service = Service("s", host: "https://s.example") {
            $0.timeout = .seconds(15)
            $0.bodyFormat = .form
            $0.headers["request-type"] = "ios"
        }
        let client = Client(transport: .stub(stub), services: [service], time: time) {
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
        }
        stub.hold()
        let call = Task { try await client.post("/slow", ["a": "1"]) }
        let request = try #require(try await stub.received().first)
        #expect(request.url.string == "https://s.example/slow")
        #expect(request.text == "a=1" && request.headers[.contentType] == FormEncoder.contentType)
        #expect(request[field: "request-type"] == "ios")
        try await time.hasSleepers()
        #expect(time.nextDeadline == .seconds(15))
        time.advance(by: .seconds(120))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    // QSP-B2: the limits of client, endpoint and call end calls as that of a service does; QSP-23: the call's own wins, where it has no value
    // too.
    @Test(arguments: [("client", .seconds(15)), ("endpoint", .seconds(9)), ("call", .seconds(3))] as [(String, Duration)])
    func theLimitOfEveryLayerEndsItsCalls(layer: String, limit: Duration) async throws {
        let (time, stub) = (ManualTime(), StubTransport.user)
        let client = Client(stub, time: time) {
            ($0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited)
            $0.timeout = .seconds(15)
        }
        stub.hold()
        let call = Task {
            switch layer {
            case "client": _ = try await client.send(GetUser(id: 7))
            case "endpoint": try await client.send(Layered())
            default: try await client.send(Layered()) { $0.timeout = .seconds(3) }
            }
        }
        try await stub.received()
        try await time.hasSleepers()
        #expect(time.nextDeadline == limit)
        time.advance(by: limit)
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    // QSP-2, QSP-13, QSP-14, YTK-5, LM-B4: the call says a path and parameters, which are encoded.
    @Test func aCallStartsFromTheBasePath() async throws {
        struct Regeo: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/geocode/regeo")
            var location: String
        }
        let stub = StubTransport.user
        try await Client(stub).get("/geocode/regeo", ["location": "116.3,39.9"])
        // The fields of an endpoint are the same parameters.
        try await Client(stub).send(Regeo(location: "116.3,39.9"))
        #expect(stub.requests.map(\.url.string) == Array(repeating: "https://s.example/v1/geocode/regeo?location=116.3%2C39.9", count: 2))
    }

    // QSP-5, QSP-6; QSP-B7: the safe values are the defaults, and each is a setting of its own.
    @Test func certificatesAndHostNamesAreCheckedUnlessAServiceSaysOtherwise() {
        #expect(ConnectionSettings().trust == .system)
        #expect(!ConnectionSettings().insecurelySkipsHostName)
        let (anyone, nameless) = (
            ConnectionSettings { $0.trust = .insecureAcceptAnyCertificate }, ConnectionSettings { $0.insecurelySkipsHostName = true }
        )
        #expect(!anyone.insecurelySkipsHostName && nameless.trust == .system)
        #expect(Set([ConnectionSettings(), anyone, nameless]).count == 3)
    }

    // QSP-7: the five types, whatever their parameters.
    @Test(arguments: ["application/json", "text/json", "text/javascript", "text/html", "text/plain", "text/html; charset=utf-8"])
    func jsonUnderTheseTypesPassesWhereASettingSaysSo(type: String) async throws {
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), contentType: type) }
        #expect(try await Client(stub) { $0.acceptableContentTypes = .lenientJSON }.send(GetUser(id: 7)).id == 7)
    }

    // QSP-7: a type that is not among them is refused, and without the setting all but JSON's own are.
    @Test(
        arguments: [
            ("application/xml", AcceptableContentTypes.lenientJSON), ("application/xml", nil), ("text/html", nil), ("text/plain", nil),
            ("text/javascript", nil),
        ] as [(String, AcceptableContentTypes?)])
    func anotherTypeIsRefused(type: String, acceptable: AcceptableContentTypes?) async {
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), contentType: type) }
        let error = await #expect(throws: TarmacError.self) {
            try await Client(stub) { $0.acceptableContentTypes = acceptable }.send(GetUser(id: 7))
        }
        #expect(error?.code == .unacceptableContentType)
    }

    // QSP-7: without the setting JSON passes by its own types, and where the answer states none.
    @Test(arguments: ["application/json", "application/json; charset=utf-8", "text/json", "application/hal+json", nil] as [String?])
    func jsonPassesByItsOwnTypes(type: String?) async throws {
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), contentType: type) }
        #expect(try await Client(stub).send(GetUser(id: 7)).id == 7)
    }

    // QSP-8; QSP-B1: name and value are where they belong.
    @Test func defaultFieldsGoOutUnderTheirNames() async throws {
        let stub = StubTransport.user
        _ = try await Client(stub) { $0.headers["request-type"] = "ios" }.send(GetUser(id: 7))
        #expect(stub.requests.first?[field: "request-type"] == "ios")
        #expect(stub.requests.first?[field: "ios"] == nil)
        // A service has fields as a client has.
        let service = Service("s", host: "https://s.example/v1") { $0.headers["request-type"] = "ios" }
        _ = try await Client(transport: .stub(stub), services: [service]).send(GetUser(id: 7))
        #expect(stub.requests.last?[field: "request-type"] == "ios" && stub.requests.last?[field: "ios"] == nil)
        // Without the setting there are only the fields that every request has.
        _ = try await Client(stub).send(GetUser(id: 7))
        #expect(stub.requests.last?.headers.map(\.name.canonicalName).sorted() == ["accept", "accept-encoding", "user-agent"])
    }

    // QSP-9, QSP-15; QSP-B10, QSP-16: a POST without files is JSON.
    @Test func aPostIsJSONInBothDirections() async throws {
        let stub = StubTransport.user
        #expect(try await Client(stub).post("/users", ["name": "ann"], as: User.self).name == "ann")
        let request = try #require(stub.requests.first)
        #expect(request.method == .post)
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.text == #"{"name":"ann"}"#)
        // A body with a type of its own has that one, although the format of parameters is JSON.
        let body = try Body.multipart([.data("photo", Data("jpeg".utf8), fileName: "1.jpg", contentType: "image/jpeg")])
        try await Client(stub) { $0.bodyFormat = .json }.send(Upload(body, to: InlineEndpoint<Void>.post("/photos")))
        #expect(stub.requests.last?.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        // Both are settings: one says how parameters are written, the other how answers are read.
        let own = Client(stub) {
            $0.bodyFormat = .form
            $0.decoder = BodyDecoder(name: "own") { _, payload in User(id: try payload.json.get("id"), name: "read here") }
        }
        #expect(try await own.post("/users", ["name": "ann"], as: User.self).name == "read here")
        #expect(stub.requests.last?.text == "name=ann" && stub.requests.last?.headers[.contentType] == FormEncoder.contentType)
    }

    // QSP-23, QSP-28, QSP-33
    @Test func theNearestLayerWinsAndSaysSo() async throws {
        let client = Client(.user) { $0.timeout = .seconds(15) }
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .client)
        let explained = client.explain(GetUser(id: 7)) { $0.timeout = .seconds(3) }
        #expect(explained["timeout"].map { "\($0)" } == "timeout 3 s ← call, hides client 15 s, default 60 s")
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .client)
    }

    // QSP-33: call over endpoint over service over client over default.
    @Test func everyLayerHasItsPlace() throws {
        let service = Service("s", host: "https://s.example") { $0.timeout = .seconds(12) }
        let bare = Client(.user), client = Client(transport: .stub(.user), services: [service]) { $0.timeout = .seconds(15) }
        let explained = [
            bare.explain(GetUser(id: 7)), Client(.user) { $0.timeout = .seconds(15) }.explain(GetUser(id: 7)), client.explain(GetUser(id: 7)),
            client.explain(Layered()), client.explain(Layered()) { $0.timeout = .seconds(3) },
        ].map { $0["timeout"] }
        #expect(explained.map { $0?.value } == ["60 s", "15 s", "12 s", "9 s", "3 s"])
        #expect(explained.map { $0?.origin } == [.default, .client, .service("s"), .endpoint("Layered"), .call])
    }

    // QSP-2, QSP-30: hosts, environment, settings, condition of success and presenter in one expression.
    @Test @MainActor func oneExpressionConfiguresEverything() async throws {
        let (board, stub) = (Board(), StubTransport.enveloped(#"{"status":0,"message":"sold out"}"#))
        let service = Service("s", hosts: [.production: "https://live.example", .test: "https://test.example"])
        let client = Client(transport: .stub(stub), services: [service], environment: .test) {
            $0.timeout = .seconds(15)
            $0.envelope = .status
            $0.presenter = board
        }
        await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(board.lines == ["began", "ended", "data: sold out"])
        #expect(stub.requests.map(\.url.host) == ["test.example"])
        #expect(client.explain(GetUser(id: 7))["timeout"]?.value == "15 s")
    }

    // QSP-34: the settings of a connection, its security among them, make a transport, once; base URL, types and the rest are the requests'.
    @Test func aTransportIsMadeOfTheSettingsOfItsService() async throws {
        let made = Locked<[ConnectionSettings]>([])
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), contentType: "text/html") }
        let factory = TransportFactory(name: "counted") { settings in
            made.withLock { $0.append(settings) }
            return stub
        }
        let pins = PinSet("s.example", ["sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="])
        let connection = ConnectionSettings {
            $0.connectionsPerHost = 2
            $0.pins = [pins]
            $0.insecurelySkipsHostName = true
        }
        let service = Service("s", host: "https://s.example/v1", connection: connection) { $0.acceptableContentTypes = .lenientJSON }
        let client = Client(transport: factory, services: [service])
        for _ in 0..<3 { #expect(try await client.get("/users/7", as: User.self).id == 7) }
        #expect(made.withLock { $0 } == [connection])
        #expect(made.withLock { $0.map(\.pins) } == [[pins]] && made.withLock { $0.map(\.insecurelySkipsHostName) } == [true])
        #expect(Set(stub.requests.map(\.url.string)) == ["https://s.example/v1/users/7"])
    }

    // QSP-42: several base shapes of request, each a service, under one client.
    @Test func severalShapesLiveUnderOneClient() async throws {
        let stub = StubTransport { request in
            request.url.host == "old.example" ? .json(#"{"ok":true,"result":{"id":7,"name":"ann"}}"#) : .json(#"{"status":1,"data":{"id":8,"name":"bo"}}"#)
        }
        let new = Service("new", host: "https://new.example") { $0.envelope = .status }
        let old = Service("old", host: "https://old.example") { $0.envelope = Envelope(success: { $0["ok"] == true }, payload: "result") }
        let client = Client(transport: .stub(stub), services: [new, old])
        #expect(try await client[old].get("/user", as: User.self).id == 7)
        #expect(try await client[new].get("/user", as: User.self).id == 8)
    }
}
