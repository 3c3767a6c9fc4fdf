import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) import TarmacCache
import TarmacCookies
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacOutbox

/// The bytes of an identity are compared: canonically equivalent texts are two identities, although Swift calls them equal.
@Suite("Identity is compared by bytes", .timeLimit(.minutes(5)))
struct IdentityBytesTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        let one: String
        let other: String
        var testDescription: String { one.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }
    }

    /// The last has as many bytes in both orders.
    static let pairs = [
        Pair(one: "\u{E9}", other: "e\u{301}"), Pair(one: "\u{212B}", other: "A\u{30A}"), Pair(one: "a\u{301}\u{323}", other: "a\u{323}\u{301}"),
    ]

    /// A place where texts are identities, and whether it keeps two of them apart.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let keepsApart: @Sendable (_ one: String, _ other: String) async throws -> Bool
        init(_ name: String, _ keepsApart: @escaping @Sendable (String, String) async throws -> Bool) {
            (testDescription, self.keepsApart) = (name, keepsApart)
        }
    }

    private static let host = "https://s.example"
    private static func key(service: String = "s", environment: String = "production", principal: String = "") -> CacheKey {
        CacheKey(service: service, environment: environment, principal: principal, url: host + "/")
    }
    private static func entry(_ key: CacheKey, tags: Set<String> = []) -> CacheEntry {
        CacheEntry(key: key, status: .ok, headers: [:], requestDate: .distantPast, responseDate: .distantPast, bodyLength: 0, tags: tags)
    }
    private static func lane(_ principal: String, _ name: String = "main", service: String = "s", environment: String = "production") -> OutboxLane {
        OutboxLane(service: service, environment: environment, principal: principal, name: name)
    }
    private static func scope(_ principal: String) async throws -> CookieScope {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [Service("s", host: Hosts(host))])
        return try await client.cookieScope(for: .get("/")) { $0.principal = principal }
    }
    private static func principal(_ name: String, _ field: String? = nil) async throws -> Principal {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [Service("s", host: Hosts(host))])
        var request = Request(.get, try HTTPURL(host + "/"))
        if let field { request.headers[.init("X-Api-Key")!] = field }
        return try await client.preview(.get("/"), Options { $0.principal = name }).principal(of: request)
    }

    static let places = [
        Place("services") { Service($0, host: Hosts(host)) != Service($1, host: Hosts(host)) },
        Place("environments") { ServiceEnvironment($0) != ServiceEnvironment($1) },
        Place("kinds of hosts") { HostKind($0) != HostKind($1) },
        Place("tags of calls") { Set([CallTag($0), CallTag($1)]).count == 2 },
        Place("keys of tokens") { Set([$0, $1].map { TokenKey(service: "s", environment: "production", principal: $0) }).count == 2 },
        Place("accounts of tokens") { !AccessToken("a", account: $0).isSame(as: AccessToken("a", account: $1)) },
        Place("keys of the cache, by principal") { key(principal: $0) != key(principal: $1) },
        Place("keys of the cache, by service") { key(service: $0) != key(service: $1) },
        Place("selections of the cache by tag") { !CacheSelection.tag($0).contains(entry(key(), tags: [$1])) },
        Place("selections of the cache by principal") { !CacheSelection.principal($0).contains(entry(key(principal: $1))) },
        Place("selections of the cache by service") { !CacheSelection.service($0).contains(entry(key(service: $1))) },
        Place("lanes by principal") { Set([lane($0), lane($1)]).count == 2 },
        Place("lanes by name") { Set([lane("", $0), lane("", $1)]).count == 2 },
        Place("lanes by service and environment") { lane("", service: $0) != lane("", service: $1) && lane("", environment: $0) != lane("", environment: $1) },
        Place("scopes of cookies") { try await scope($0) != scope($1) },
        Place("texts of principals in stores") { one, other in
            let texts = try await [scope(one).durableText, scope(other).durableText]
            return texts[0] != texts[1] && texts.allSatisfy { $0?.utf8.allSatisfy { $0 < 0x80 } == true }
        },
        Place("credentials of principals") { try await principal("", $0) != principal("", $1) },
        Place("names of files of tokens") { one, other in
            let texts = [one, other].map { TokenKey(service: $0, environment: $0, principal: $0).text }
            return texts[0] != texts[1] && texts.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        },
        Place("filters of the outbox") { one, other in
            let date = Date(timeIntervalSince1970: 0)
            let record = OutboxRecord(
                id: OutboxEntry.ID(rawValue: "1"), lane: lane(other, other, service: other), fingerprint: "f", payload: Bytes(""), isSealed: false,
                created: date)
            return [OutboxFilter(lane: one), OutboxFilter(service: one), OutboxFilter(principal: one)].allSatisfy { !$0.matches(record) }
        },
        Place("cancelling by tag and service") { one, other in
            let stub = StubTransport { _ in .status(.ok) }
            stub.hold()
            let client = Client(transport: .stub(stub), services: [Service(one, host: Hosts(host))])
            let call = Task { try await client.get("/") { $0.tags = [CallTag(one)] } }
            try await stub.received(count: 1)
            client.cancelAll(tagged: CallTag(other))
            stub.release()
            return (try? await call.value) != nil
        },
        Place("runtimes of services") { one, other in
            let stub = StubTransport { .text($0.url.host) }
            let services = [one, other].enumerated().map { Service($1, host: Hosts("https://\($0).example")) }
            let client = Client(transport: .stub(stub), services: services)
            for service in services { try await client[service].get("/") }
            return stub.requests.map(\.url.host) == ["0.example", "1.example"]
        },
        Place("stored answers") { one, other in
            let stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }
            let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts(host))], time: ManualTime()) { $0.cache = .http }
            for name in [one, other, one, other] { try await client.get("/me") { $0.principal = name } }
            return stub.requests.count == 2
        },
        Place("stored answers of credentials") { one, other in
            let stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }
            let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts(host))], time: ManualTime()) { $0.cache = .http }
            for name in [one, other] { try await client.get("/me") { $0.headers["X-Api-Key"] = name } }
            return stub.requests.count == 2
        },
        Place("shared answers") { one, other in
            let stub = StubTransport { _ in .json("{}") }
            stub.hold()
            let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts(host))]) { $0.coalesces = true }
            let calls = [one, other].map { name in Task { try await client.get("/me") { $0.principal = name } } }
            try await stub.received(count: 2)
            stub.release()
            for call in calls { try await call.value }
            return true
        },
        Place("shared answers to fields") { one, other in
            let stub = StubTransport { _ in .json("{}") }
            stub.hold()
            let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts(host))]) { $0.coalesces = true }
            let calls = [one, other].map { name in Task { try await client.get("/me") { $0.headers["X-Place"] = name } } }
            try await stub.received(count: 2)
            stub.release()
            for call in calls { try await call.value }
            return true
        },
        Place("cookies of a jar") { one, other in
            let stub = StubTransport { _ in .text("", headers: [.setCookie: "a=1"]) }
            let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts(host))]) { $0.cookies = .jar() }
            for name in [one, other, one] { try await client.get("/me") { $0.principal = name } }
            return stub.requests.map { $0.headers[.cookie] } == [nil, nil, "a=1"]
        },
        Place("tokens of two logins") { one, other in
            let store = MemoryTokenStore()
            let keys = [one, other].map { TokenKey(service: "s", environment: "production", principal: $0) }
            for (number, key) in keys.enumerated() { store.save(AccessToken("\(number)"), for: key) }
            return keys.map { store.token(for: $0)?.value } == ["0", "1"]
        },
        Place("entries of the outbox's lanes") { one, other in
            let store = MemoryOutboxStore(), date = Date(timeIntervalSince1970: 0)
            let records = [one, other].enumerated().map {
                OutboxRecord(id: OutboxEntry.ID(rawValue: "\($0)"), lane: lane($1), fingerprint: "\($0)", payload: Bytes(""), isSealed: false, created: date)
            }
            _ = try store.append(records, known: [], limit: 9)
            let lease = OutboxLease(owner: "o", environment: "production", now: date, until: date + 9, count: 9, longestPause: .seconds(9))
            return store.lease(lease).records.count == 2
        },
    ]

    @Test(arguments: places) func everyPlaceKeepsIdentitiesApart(_ place: Place) async throws {
        for pair in Self.pairs {
            #expect(pair.one == pair.other)
            #expect(try await place.keepsApart(pair.one, pair.other), "\(pair.testDescription)")
        }
    }

    /// The CLI shows the name, and an app removes a user's stored answers by it.
    @Test(arguments: ["ann", "\u{E9}", "e\u{301}", "%41", "2%4141", "日本", "4:shop"])
    func aNameIsFoundInTheTextOfItsPrincipal(_ name: String) async throws {
        let text = try #require(try await Self.scope(name).durableText)
        #expect(Principal.name(inText: text).map { Array($0.utf8) } == Array(name.utf8))
        #expect(Principal.isText(text, of: name))
        #expect(!Principal.isText(text, of: name + "x"))
    }

    /// Whatever a name is made of, no two have one text.
    @Test func noTwoPrincipalsHaveOneText() async throws {
        let atoms = ["\u{E9}", "e\u{301}", "%", "c3a9", "2", ":", "4%c3a9", "\u{1}"]
        var texts: Set<String> = [], count = 0
        for one in atoms {
            for other in [""] + atoms {
                texts.insert(try #require(try await Self.scope(one + other).durableText))
                count += 1
            }
        }
        #expect(texts.count == count)
    }
}
