import HTTPTypes
import Tarmac
import TarmacAuth
import TarmacJSON
import TarmacStreams
import TarmacTesting
import Testing

/// Law 10 for values that an app makes itself: a number that means nothing counts as the smallest that means something, and
/// is no crash.
@MainActor
@Suite("Law 10: values with wrong numbers", .timeLimit(.minutes(5)))
struct Law10ValueTests {
    nonisolated static let wrong = [Int.min, -1, 0]

    @Test(arguments: wrong)
    func aLoggerWithoutRoomForABodyWritesNoneOfIt(limit: Int) async throws {
        let lines = Watched<[String]>([])
        let logger = MessageLogger(limit: limit) { line in lines.update { $0.append(line) } }
        let client = Client(StubTransport { _ in .json(#"{"n":1}"#) }) { $0.interceptors = [logger] }
        _ = try await client.send(.get("/", as: Number.self))
        #expect(lines.value.count == 1 && lines.value.first?.hasSuffix("← 200 …") == true)
    }

    @Test(arguments: wrong)
    func aQueueWithoutRoomDropsTheCallsThatWouldWait(limit: Int) async throws {
        let stub = StubTransport { _ in .status(.ok) }
        stub.hold()
        let client = Client(stub), owner = Screen(), landed = Watched(0)
        let slot = CallSlot(.queue, limit: limit)
        let starts = (0..<3).map { _ in slot.start(.get("/"), on: client, owner: owner) { _, _ in landed.update { $0 += 1 } } }
        #expect(starts == [true, false, false])
        stub.release()
        try await landed.wait { $0 == 1 }
        #expect(stub.requests.count == 1)
        withExtendedLifetime(owner) {}
    }

    private final class Screen: LifetimeOwner {
        let lifetime = Lifetime()
    }

    @Test(arguments: wrong)
    func aParserWithoutRoomRefusesEachEvent(limit: Int) throws {
        var parser = EventStreamParser(maximumEventSize: limit)
        parser.append(Bytes("\n\n"))
        #expect(try parser.next() == nil)
        parser.append(Bytes("data: a\n\n"))
        let error = #expect(throws: TarmacError.self) { try parser.next() }
        #expect(error?.code == .recordTooLarge && error?.reason.contains("of 0 bytes") == true)
    }

    /// At least one session stays.
    @Test(arguments: wrong)
    func aClientWithoutRoomForSessionsLogsIn(limit: Int) async throws {
        let stub = StubTransport { _ in .status(.ok) }, service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = Authentication(
                OAuthAuthenticator(tokenURL: "/token", client: OAuthClient(id: "app"), maximumSessions: limit), store: MemoryTokenStore())
        }
        for number in 0..<3 { try await client[service].logIn(AccessToken("t\(number)"), as: "\(number)") }
        for number in 0..<3 { try await client.get("/") { $0.principal = "\(number)" } }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t0", "Bearer t1", "Bearer t2"])
    }

    private static func options(_ configure: (inout JSONDocument.Options) -> Void) -> JSONDocument.Options {
        var options = JSONDocument.Options()
        configure(&options)
        return options
    }

    @Test(arguments: wrong)
    func aDocumentWithoutRoomIsRefused(limit: Int) throws {
        let text = #"{"a":[1,2]}"#
        for options in [Self.options { $0.sizeLimit = limit }, Self.options { $0.depthLimit = limit }, Self.options { $0.indexLimit = limit }] {
            #expect(throws: JSONError.self) { try JSONDocument(text, options: options) }
        }
        #expect(throws: JSONError.self) { try JSONDocument("", options: Self.options { $0.sizeLimit = limit }) }
    }
}
