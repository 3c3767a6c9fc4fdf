import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an app makes of the cache: its own terms, keys, streams, and what is told (YTK-25, YTK-28 to YTK-33).
@Suite("Cache", .timeLimit(.minutes(5)))
struct CacheTests {
    let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
    let recorder = EventRecorder()
    let count = Watched(0)

    struct GetNumber: Endpoint {
        typealias Value = Number
        static let route: Route = .get("/n")
    }

    /// Answers with the number of its answer.
    func counting(_ headers: HTTPFields = [:]) -> StubTransport {
        StubTransport { [count] _ in
            let n = count.update {
                $0 += 1
                return $0
            }
            return .json(#"{"n":\#(n)}"#, headers: headers)
        }
    }

    func client(_ stub: StubTransport, _ configure: (inout Options) -> Void) -> Client {
        Client(stub, time: time) {
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private func misses() -> [CacheMiss] {
        recorder.events.compactMap { event -> CacheMiss? in
            if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { miss } else { nil }
        }
    }

    static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"e\""]

    // MARK: The app's terms

    /// YTK-28: for as long as the app says, and no longer.
    @Test func anAnswerIsGoodForTheTimeTheAppSays() async throws {
        let client = client(counting()) { $0.cache = .ttl(.seconds(180), version: 2) }
        #expect(try await client.send(GetNumber()).n == 1)
        time.advance(by: .seconds(179))
        let landed = try await client.landed(for: GetNumber())
        #expect(landed.value.n == 1 && landed.source == .cache && landed.attempts == 0)
        time.advance(by: .seconds(2))
        #expect(try await client.send(GetNumber()).n == 2)
        #expect(misses() == [.missing, .expired])
    }

    enum Term: CaseIterable {
        case version, sensitiveData, appVersion
        func configure(_ options: inout Options) {
            switch self {
            case .version: options.cache = .ttl(.seconds(180), version: 3)
            case .sensitiveData: options.cacheSensitiveData = "bob"
            case .appVersion: options.cacheAppVersion = "4"
            }
        }
        var miss: CacheMiss {
            switch self {
            case .version: .version
            case .sensitiveData: .sensitiveData
            case .appVersion: .appVersion
            }
        }
    }

    /// YTK-25, YTK-28, YTK-30: each reason of a miss is told.
    @Test(arguments: Term.allCases)
    func whatWasStoredUnderOtherTermsIsNotUsed(term: Term) async throws {
        let client = client(counting([.eTag: "\"e\""])) {
            $0.cache = .ttl(.seconds(180), version: 2)
            ($0.cacheSensitiveData, $0.cacheAppVersion) = ("ann", "3")
        }
        #expect(try await client.send(GetNumber()).n == 1)
        #expect(try await client.send(GetNumber()) { term.configure(&$0) }.n == 2)
        #expect(misses() == [.missing, term.miss])
        let error = await failure { _ = try await client.send(GetNumber()) { $0.cache = .onlyCached } }
        #expect(error?.code == .notCached)
    }

    /// YTK-28, YTK-33: the server's word goes before the app's time, unless the app says otherwise.
    @Test(arguments: [
        (false, "no-store", 2), (false, "no-cache", 2), (false, "max-age=5", 2), (true, "no-store", 1), (true, "no-cache", 1), (true, "max-age=5", 1),
    ])
    func theServersWordGoesBeforeTheAppsUnlessTheAppSaysSo(overrides: Bool, directive: String, expected: Int) async throws {
        let client = client(counting([.cacheControl: directive])) { $0.cache = .ttl(.seconds(180)) { $0.overridesServer = overrides } }
        _ = try await client.send(GetNumber())
        time.advance(by: .seconds(10))
        #expect(try await client.send(GetNumber()).n == expected)
    }

    @Test func onlySuccessIsKeptByTheAppsTerms() async throws {
        let stub = StubTransport { [count] _ in
            count.update { $0 += 1 }
            return count.value == 1 ? .json(#"{"status":0}"#) : .json(#"{"status":1,"n":2}"#)
        }
        let client = client(stub) {
            $0.cache = .ttl(.seconds(180))
            $0.envelope = Envelope(success: { $0["status"] == 1 })
        }
        #expect(await failure { _ = try await client.send(GetNumber()) }?.code == .envelopeFailure)
        #expect(try await client.send(GetNumber()).n == 2)
        #expect(try await client.send(GetNumber()).n == 2)
    }

    /// YTK-29: body and arguments are part of the key, and what is ignored is not.
    @Test func bodiesTellAnswersApart() async throws {
        let client = client(counting()) { $0.cache = .ttl(.seconds(180)) { $0.ignoredArguments = ["nonce"] } }
        func post(_ body: String, _ query: String = "") async throws -> Int {
            let response = try await client.send(
                raw: Request(.post, HTTPURL("https://s.example/search\(query)"), headers: [.contentType: "application/json"], body: .text(body)))
            return try JSONDocument(response.body.collected ?? .empty).root["n"].int ?? 0
        }
        #expect(try await post(#"{"q":"a","nonce":1}"#, "?nonce=1&p=1") == 1)
        #expect(try await post(#"{"nonce":2,"q":"a"}"#, "?nonce=2&p=1") == 1)
        #expect(try await post(#"{"q":"b","nonce":1}"#, "?nonce=1&p=1") == 2)
        #expect(try await post(#"{"q":"a","nonce":1}"#, "?nonce=1&p=2") == 3)
    }

    // MARK: How a call uses it

    @Test func aCallSaysHowItUsesWhatIsStored() async throws {
        let client = client(counting()) { $0.cache = .ttl(.seconds(180)) }
        #expect(await failure { _ = try await client.send(GetNumber()) { $0.cache = .onlyCached } }?.code == .notCached)
        #expect(try await client.send(GetNumber()) { $0.cache = .cachedElseLoad }.n == 1)
        #expect(try await client.send(GetNumber()) { $0.cache = .reload }.n == 2)
        #expect(try await client.send(GetNumber()) { $0.cache = .off }.n == 3)
        #expect(try await client.send(GetNumber()).n == 2)
        time.advance(by: .seconds(1000))
        let old = try await client.landed(for: GetNumber()) { $0.cache = .cachedElseLoad }
        #expect(old.value.n == 2 && old.source == .staleCache)
        #expect(await failure { _ = try await client.send(GetNumber()) { $0.cache = .onlyCached } }?.code == .notCached)
        #expect(count.value == 3)
    }

    @Test func nothingIsKeptUnlessTheAppSaysSo() async throws {
        let client = client(counting(Self.fresh)) { _ in }
        for n in 1...2 { #expect(try await client.send(GetNumber()).n == n) }
        #expect(try await client.cache.statistics().entries == 0)
    }

    // MARK: Whose

    enum Identity: CaseIterable {
        case principal, credentials, environment, cookie
        func configure(_ options: inout Options) {
            switch self {
            case .principal: options.principal = "bob"
            case .credentials: options.headers["Authorization"] = "Bearer bob"
            case .cookie: options.headers["Cookie"] = "session=bob"
            case .environment: break
            }
        }
    }

    /// Law 7, YTK-B1: one user's answer never reaches another.
    @Test(arguments: Identity.allCases, [CacheRule.http, .ttl(.seconds(60))])
    func oneUsersAnswerNeverReachesAnother(identity: Identity, rule: CacheRule) async throws {
        let stub = counting(Self.fresh)
        let client = client(stub) { $0.cache = rule }
        #expect(try await client.send(GetNumber()).n == 1)
        if identity == .environment { client.environment = .test }
        #expect(try await client.send(GetNumber()) { identity.configure(&$0) }.n == 2)
        #expect(try await client.send(GetNumber()) { identity.configure(&$0) }.n == 2)
        client.environment = .production
        #expect(try await client.send(GetNumber()).n == 1)
    }

    /// YTK-29, YTK-B1: a jar's cookies are credentials too.
    @Test func aJarsCookiesTellUsersApart() async throws {
        let cookies = Watched<String?>("session=ann")
        struct Jar: CookieKeeper {
            let cookies: Watched<String?>
            func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { cookies.value }
            func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
        }
        let client = client(counting(Self.fresh)) { ($0.cache, $0.cookies) = (.http, .keeper(Jar(cookies: cookies))) }
        #expect(try await client.send(GetNumber()).n == 1)
        cookies.update { $0 = "session=bob" }
        #expect(try await client.send(GetNumber()).n == 2)
        cookies.update { $0 = "session=ann" }
        #expect(try await client.send(GetNumber()).n == 1)
    }

    /// An answer that varies by Cookie without saying so. Cookies that tell users apart are part of the key, as if every answer had
    /// `Vary: Cookie`. Where the app names the user, those of a jar count only if the answer says so.
    @Test(arguments: [
        CookieRow(isUsed: false), CookieRow(varies: true, isUsed: false), CookieRow(principal: "ann", isUsed: true),
        CookieRow(principal: "ann", varies: true, isUsed: false), CookieRow(isOwn: true, isUsed: false),
        CookieRow(isOwn: true, principal: "ann", isUsed: false),
    ])
    func cookiesCountAsDocumented(row: CookieRow) async throws {
        let cookies = Watched<String?>("color=red")
        struct Jar: CookieKeeper {
            let cookies: Watched<String?>
            func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { cookies.value }
            func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
        }
        let client = client(counting(row.varies ? Self.fresh + [.vary: "Cookie"] : Self.fresh)) {
            $0.cache = .http
            if !row.isOwn { $0.cookies = .keeper(Jar(cookies: cookies)) }
            $0.principal = row.principal
        }
        func number() async throws -> Int {
            let answer = try await client.send(GetNumber()) { if row.isOwn { $0.headers["Cookie"] = cookies.value } }
            return answer.n
        }
        #expect(try await number() == 1)
        cookies.update { $0 = "color=blue" }
        #expect(try await number() == (row.isUsed ? 1 : 2))
        cookies.update { $0 = "color=red" }
        #expect(try await number() == 1)
    }

    struct CookieRow: Sendable {
        /// Whether the call sets its cookies by itself; else a jar does.
        var isOwn = false
        var principal: String?
        var varies = false
        /// Whether the answer to other cookies is used.
        let isUsed: Bool
    }

    // YTK-B1: an answer to credentials that an attempt interceptor adds is not kept.
    @Test func anAnswerToOtherCredentialsIsNotStored() async throws {
        let client = client(counting(Self.fresh)) {
            $0.cache = .http
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    var request = request
                    request.headers[.authorization] = "Bearer somebody"
                    return try await chain.proceed(request)
                }
            ]
        }
        for n in 1...2 { #expect(try await client.send(GetNumber()).n == n) }
    }

    @Test func anotherAttemptInterceptorChangesNothing() async throws {
        let client = client(counting(Self.fresh)) {
            $0.cache = .http
            $0.attemptInterceptors = [Intercepting { request, chain in try await chain.proceed(request) }]
            $0.headers["Authorization"] = "Bearer ann"
        }
        for _ in 1...2 { #expect(try await client.send(GetNumber()).n == 1) }
    }

    /// Nothing secret goes to a durable store: neither in a key nor in a variant, nor a cookie that was set.
    @Test(arguments: ["credentials", "secret query", "Set-Cookie", "Vary", "open"])
    func secretsStayInMemory(what: String) async throws {
        let durable = GatedStore()
        let stub = counting(
            what == "Set-Cookie"
                ? [.cacheControl: "max-age=60", .setCookie: "a=b"] : what == "Vary" ? [.cacheControl: "max-age=60", .vary: "X-API-Key"] : Self.fresh)
        let client = client(stub) {
            ($0.cache, $0.cacheStore) = (.http, .store(durable))
            if what == "credentials" { $0.headers["Authorization"] = "Bearer hunter2" }
            if what == "secret query" { $0.parameters = ["token": "hunter2"] }
        }
        for _ in 1...2 { #expect(try await client.send(GetNumber()).n == 1) }
        try await client.cache.flush()
        #expect(await durable.base.statistics().entries == (what == "open" ? 1 : 0))
        #expect(try await client.cache.statistics().entries == 1)
    }

    // MARK: At once

    /// RFC 5861 §3: the call is answered at once, and the server asked once.
    @Test func aStaleHitIsLookedUpAnewOnce() async throws {
        let stub = counting([.cacheControl: "max-age=1, stale-while-revalidate=60"])
        let client = client(stub) { $0.cache = .http }
        _ = try await client.send(GetNumber())
        time.advance(by: .seconds(3))
        stub.hold()
        for _ in 0..<10 {
            let landed = try await client.landed(for: GetNumber())
            #expect(landed.value.n == 1 && landed.source == .staleCache)
        }
        try await stub.received(count: 2)
        #expect(stub.inFlight == 1)
        stub.release()
        await eventually { client.engine.cache.isIdle }
        #expect(try await client.landed(for: GetNumber()).value.n == 2)
        #expect(stub.requests.count == 2)
    }

    /// Law 8: it belongs to the engine.
    // MARK: Bodies

    @Test func aStreamIsStoredAsItPasses() async throws {
        let stub = StubTransport { _ in .chunks(["one ", "two ", "three"], headers: Self.fresh) }
        let client = client(stub) { $0.cache = .http }
        func read(_ limit: Int = .max) async throws -> String {
            try await client.stream(.get("/log", as: String.self)) { response in
                var text = "", count = 0
                for try await chunk in response.body {
                    text += String(decoding: chunk.array, as: UTF8.self)
                    count += 1
                    if count == limit { break }
                }
                return text
            }
        }
        #expect(try await read(1) == "one ")
        // One that was not read to its end leaves nothing.
        #expect(try await client.cache.statistics().entries == 0)
        #expect(try await read() == "one two three")
        #expect(stub.requests.count == 2)
        #expect(try await read() == "one two three")
        #expect(try await client.get("/log", as: String.self) == "one two three")
        #expect(stub.requests.count == 2)
    }

    @Test func whatWasCodedIsKeptPlainAndServesNoRanges() async throws {
        let stub = StubTransport { request in
            if request.headers.contains(.range) { return .status(.partialContent, headers: [.contentRange: "bytes 0-1/9"]) }
            return .bytes(Bytes(Coded.gzip), contentType: "text/plain", headers: Self.fresh + [.contentEncoding: "gzip", .contentLength: "30"])
        }
        let client = client(stub) { $0.cache = .http }
        for _ in 1...2 { #expect(try await client.get("/t", as: String.self) == Coded.text) }
        #expect(stub.requests.count == 1)
        let entry = try #require(try await client.cache.entries().first)
        #expect(entry.form == .decoded && entry.headers[.contentEncoding] == nil && entry.headers[.contentLength] == nil)
        _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/t"), headers: [.range: "bytes=0-1"]))
        #expect(stub.requests.count == 2)
    }

    /// A hit that cannot be decoded would fail every call until it is past its time.
    @Test func aHitThatFailsToDecodeIsThrownAway() async throws {
        let stub = StubTransport { [count] _ in
            count.update { $0 += 1 }
            return .json(count.value == 1 ? #"{"m":1}"# : #"{"n":2}"#, headers: Self.fresh)
        }
        let client = client(stub) { $0.cache = .http }
        _ = try await client.get("/n", as: JSON.self)
        #expect(await failure { _ = try await client.send(GetNumber()) }?.code == .decodingFailed)
        #expect(try await client.send(GetNumber()).n == 2)
        #expect(stub.requests.count == 2)
    }

    @Test func redirectsAreStoredHopByHop() async throws {
        let stub = StubTransport { request in
            request.url.path == "/a" ? .status(.movedPermanently, headers: Self.fresh + [.location: "/b"]) : .json(#"{"n":1}"#, headers: Self.fresh)
        }
        let client = client(stub) { $0.cache = .http }
        for _ in 1...3 { #expect(try await client.get("/a", as: Number.self).n == 1) }
        #expect(stub.requests.count == 2)
    }
}

private func + (one: HTTPFields, other: HTTPFields) -> HTTPFields {
    var sum = one
    for field in other { sum.append(field) }
    return sum
}
