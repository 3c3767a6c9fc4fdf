import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

@testable import TarmacCache

/// What answers are kept under, and when they are used.
@Suite("Keys and terms of answers that are kept", .timeLimit(.minutes(5)))
struct SeedCacheKeyTests {
    /// Counts its answers in their bodies.
    static func counting() -> StubTransport {
        let count = Locked(0)
        return StubTransport { _ in .json(#"{"id":\#(count.withLock { $0 += 1; return $0 }),"name":"ann"}"#) }
    }

    static func client(_ stub: StubTransport, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }) -> Client {
        let services = [
            Service("s", hosts: [.production: Hosts("https://s.example", cdn: "https://cdn.example"), .test: "https://test.example"]),
            Service("t", host: "https://t.example"),
        ]
        return Client(transport: .stub(stub), services: services, time: time) {
            $0.cache = .ttl(.seconds(180), version: 2)
            $0.cacheSensitiveData = "ann"
            $0.cacheAppVersion = "3"
            configure(&$0)
        }
    }

    // YTK-29: method, host, path, arguments and body tell answers apart, and arguments that a rule ignores do not.
    @Test func theKeyHasAllButIgnoredArguments() async throws {
        let client = Self.client(Self.counting()) { $0.cache = .ttl(.seconds(180)) { $0.ignoredArguments = ["nonce"] } }
        func id(_ route: String, _ parameters: ParameterList, post: Bool = false) async throws -> Int {
            try await post ? client.post(route, parameters, as: User.self).id : client.get(route, parameters, as: User.self).id
        }
        #expect(try await id("/a", ["q": "x", "nonce": 1]) == 1)
        #expect(try await id("/a", ["q": "x", "nonce": 2]) == 1)
        #expect(try await id("/a", ["q": "y", "nonce": 1]) == 2)
        #expect(try await id("/b", ["q": "x"]) == 3)
        #expect(try await id("/a", ["q": "x", "nonce": 1], post: true) == 4)
        #expect(try await id("/a", ["nonce": 2, "q": "x"], post: true) == 4)
        #expect(try await client[Service("t", host: "https://t.example")].get("/a", ["q": "x"], as: User.self).id == 5)
        #expect(try await id("/a", ["q": "z"], post: true) == 6)
        // The method by itself: the URL is that of the third answer, and neither has a body.
        #expect(try await id("/b?q=x", [:], post: true) == 7)
        // Of a form too.
        func form(_ parameters: ParameterList) async throws -> Int {
            try await client.post("/f", parameters, as: User.self) { $0.bodyFormat = .form }.id
        }
        #expect(try await form(["q": "x", "nonce": 1]) == 8)
        #expect(try await form(["q": "x", "nonce": 2]) == 8)
        #expect(try await form(["q": "y", "nonce": 2]) == 9)
    }

    // YTK-25, YTK-28, YTK-29, YTK-30: age, version, sensitive data and app version are looked at, and what does not fit is asked for anew.
    @Test(arguments: ["none", "age", "version", "sensitive data", "app version", "reload", "off"])
    func anAnswerOfOtherTermsIsNotUsed(term: String) async throws {
        let (stub, time, told) = (Self.counting(), ManualTime(), Locked<[CacheMiss]>([]))
        let client = Self.client(stub, time: time) {
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        // `.off` does not look, so the age does not count either.
        if ["age", "off"].contains(term) { time.advance(by: .seconds(181)) }
        _ = try await client.send(GetUser(id: 7)) {
            switch term {
            case "version": $0.cache = .ttl(.seconds(180), version: 3)
            case "sensitive data": $0.cacheSensitiveData = "bo"
            case "app version": $0.cacheAppVersion = "4"
            case "reload": $0.cache = .reload
            case "off": $0.cache = .off
            default: break
            }
        }
        let misses: [String: CacheMiss] = [
            "age": .expired, "version": .version, "sensitive data": .sensitiveData, "app version": .appVersion, "reload": .validation,
        ]
        #expect(stub.requests.count == (term == "none" ? 1 : 2))
        #expect(told.withLock { $0 } == [CacheMiss.missing] + (misses[term].map { [$0] } ?? []))
    }

    // YTK-30: of several reasons the first is told: a call that asks anew, the age, the version, the sensitive data, the version of the app.
    @Test(arguments: [
        (["reload", "age", "version"], CacheMiss.validation), (["age", "version", "sensitive data", "app version"], .expired),
        (["age", "app version"], .expired), (["version", "sensitive data", "app version"], .version), (["sensitive data", "app version"], .sensitiveData),
    ])
    func theReasonsHaveAnOrder(terms: [String], miss: CacheMiss) async throws {
        let (stub, time, told) = (Self.counting(), ManualTime(), Locked<[CacheMiss]>([]))
        let client = Self.client(stub, time: time) {
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        if terms.contains("age") { time.advance(by: .seconds(181)) }
        let user = try await client.send(GetUser(id: 7)) {
            if terms.contains("version") { $0.cache = .ttl(.seconds(180), version: 3) }
            if terms.contains("sensitive data") { $0.cacheSensitiveData = "bo" }
            if terms.contains("app version") { $0.cacheAppVersion = "4" }
            if terms.contains("reload") { $0.cache = .reload }
        }
        #expect(user.id == 2 && told.withLock { $0 } == [.missing, miss])
    }

    // YTK-30: a download is kept and answered as any other call, where YTKNetwork keeps none, unless its call says `.off`.
    @Test(arguments: [false, true])
    func aDownloadIsKeptUnlessItsCallSaysNo(isOff: Bool) async throws {
        let (stub, folder) = (Self.counting(), try TemporaryFolder())
        let client = Self.client(stub)
        for _ in 1...2 { try await client.send(Download(.get("/users/7"), to: folder.path("f"))) { if isOff { $0.cache = .off } } }
        #expect(stub.requests.count == (isOff ? 2 : 1))
        #expect(folder.text("f") == #"{"id":\#(isOff ? 2 : 1),"name":"ann"}"#)
        // It answers the call for a model of the same URL too.
        #expect(try await client.send(GetUser(id: 7)).id == (isOff ? 3 : 1))
    }

    // YTK-31: what is kept lies in the folder that the app names.
    @Test func answersLieInTheFolderOfTheApp() async throws {
        let folder = try TemporaryFolder()
        let store = try FileCacheStore(folder: folder.path("cache"))
        let client = Self.client(Self.counting()) { $0.cacheStore = .store(store) }
        _ = try await client.send(GetUser(id: 7))
        try await client.cache.flush()
        let files = FileManager.default.enumerator(atPath: folder.path("cache"))?.compactMap { $0 as? String } ?? []
        let contents = files.compactMap { FileManager.default.contents(atPath: folder.path("cache/\($0)")) }
        #expect(contents.contains { String(decoding: $0, as: UTF8.self).contains("ann") })
    }

    // YTK-31: the folder is marked as one that backups leave out, each time it is opened.
    @Test func backupsLeaveTheFolderOut() throws {
        let (folder, marked) = (try TemporaryFolder(), Locked<[Bool]>([]))
        let backups = BackupExclusion { _, isExcluded in marked.withLock { $0.append(isExcluded) } }
        for _ in 1...2 { _ = try FileCacheStore(folder: folder.path("cache"), limit: 1000, backups: backups) }
        #expect(marked.withLock { $0 } == [true, true])
        #expect(folder.text("cache/CACHEDIR.TAG")?.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55") == true)
    }

    // YTK-32: what was kept is there at once, past its time too, and then comes what the server says.
    @Test func theLastAnswerIsShownAndThenTheFreshOne() async throws {
        let time = ManualTime()
        let client = Self.client(Self.counting(), time: time)
        #expect(client.cached(GetUser(id: 7)) == nil)
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        time.advance(by: .seconds(3600))
        #expect(client.cached(GetUser(id: 7))?.id == 1)
        var seen: [Int] = []
        for try await update in client.updates(GetUser(id: 7)) { seen.append(update.value.id) }
        #expect(seen == [1, 2])
        seen = []
        for try await update in client.updates(GetUser(id: 7)) { seen.append(update.value.id) }
        #expect(seen == [2, 3])
    }

    enum LoginPlace: CaseIterable { case field, query, user, unknown, path }

    // YTK-B1: credentials that an interceptor adds are in the key, in a field, in the query or in the path; an attempt interceptor is below
    // the cache, and answers to what it adds are not kept.
    @Test(arguments: [false, true], LoginPlace.allCases)
    func nobodyGetsTheAnswerToAnInterceptorsLogin(isOfAttempt: Bool, place: LoginPlace) async throws {
        let user = Locked("")
        let login = Intercepting { request, chain in
            var request = request
            let name = user.withLock { $0 }
            switch place {
            case .field: request.headers[.authorization] = "Bearer \(name)"
            case .query: request.url = request.url.adding(query: "token", name)
            // A name that no one has to hide, and that says who asks.
            case .user: request.url = request.url.adding(query: "user_id", name)
            case .unknown: request.url = request.url.adding(query: "q", name)
            case .path: request.url = try request.url.with(path: "\(request.url.path)/\(name)")
            }
            return try await chain.proceed(request)
        }
        let client = Client(Self.counting()) {
            $0.cache = .ttl(.seconds(180))
            if isOfAttempt { $0.attemptInterceptors = [login] } else { $0.interceptors = [login] }
        }
        func id(_ name: String) async throws -> Int {
            user.withLock { $0 = name }
            return try await client.send(GetUser(id: 7)).id
        }
        #expect(try await id("ann") == 1)
        #expect(try await id("bob") == 2)
        #expect(try await id("ann") == (isOfAttempt ? 3 : 1))
    }

    private enum Who { @TaskLocal static var name = "" }
    private let asking = Intercepting { request, chain in
        var request = request
        request.headers[.authorization] = "Bearer \(Who.name)"
        request.headers[.acceptLanguage] = Who.name
        return try await chain.proceed(request)
    }

    /// As on a server: the user is a value of the task, and two ask at once.
    @Test func nobodySharesTheAnswerToAnInterceptorsLogin() async throws {
        let stub = StubTransport { .json(#"{"id":7,"name":"\#($0.headers[.authorization] ?? "")"}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [asking]
        }
        stub.hold()
        let ann = Task { try await Who.$name.withValue("ann") { try await client.send(GetUser(id: 7)).name } }
        try await stub.received(count: 1)
        let bob = Task { try await Who.$name.withValue("bob") { try await client.send(GetUser(id: 7)).name } }
        for _ in 0..<50 { await Task.yield() }
        stub.release()
        #expect(try await ann.value == "Bearer ann")
        #expect(try await bob.value == "Bearer bob")
    }

    /// A failover takes the place of a host, and says nothing of who asks.
    @Test func theAnswerOfAnotherHostOfTheServiceIsKept() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionFailed, phase: .connecting, "down") }
            return .json(#"{"id":7,"name":"ann"}"#, headers: [.cacheControl: "max-age=60"])
        }
        let client = Client(
            transport: .stub(stub), services: [Service("s", hosts: [.production: Hosts("https://s.example", cdn: "https://cdn.example")])]
        ) {
            ($0.cache, $0.host, $0.failover) = (.http, .cdn, .toOrigin)
            $0.attemptInterceptors = [Intercepting { try await $1.proceed($0) }]
        }
        for _ in 1...2 { #expect(try await client.send(GetUser(id: 7)).name == "ann") }
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "s.example"])
    }

    /// RFC 9111 §4.1: the field that counts is the one that was sent.
    @Test func anAnswerThatVariesByAnInterceptorsFieldIsNotKept() async throws {
        let stub = StubTransport {
            .json(#"{"id":7,"name":"\#($0.headers[.acceptLanguage] ?? "")"}"#, headers: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        let client = Client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    var request = request
                    request.headers[.acceptLanguage] = Who.name
                    return try await chain.proceed(request)
                }
            ]
        }
        for language in ["de", "fr", "de"] {
            let name = try await Who.$name.withValue(language) { try await client.send(GetUser(id: 7)).name }
            #expect(name == language)
        }
    }

    // YTK-29: the version of the app counts where the app says it; by default there is none.
    @Test func theVersionOfTheAppIsTheOneItSays() async throws {
        let client = Client(Self.counting()) { $0.cache = .ttl(.seconds(180)) }
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        #expect(try await client.send(GetUser(id: 7)) { $0.cacheAppVersion = "" }.id == 1)
        #expect(try await client.send(GetUser(id: 7)) { $0.cacheAppVersion = "4" }.id == 2)
    }

    // YTK-30: a time without meaning is refused before anything is looked at, although an answer is kept and though the call asks for another.
    @Test func aTimeWithoutMeaningComesFirst() async throws {
        let (stub, told) = (Self.counting(), Locked<[CacheMiss]>([]))
        let client = Self.client(stub) {
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        _ = try await client.send(GetUser(id: 7))
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) { $0.cache = .ttl(.seconds(-1), version: 3) } }
        #expect(error?.code == .invalidOption && told.withLock { $0 } == [.missing])
        let other = Client(stub) { $0.cache = .ttl(.seconds(-1)) }
        let anew = await #expect(throws: TarmacError.self) { try await other.send(GetUser(id: 7)) { $0.cache = .reload } }
        #expect(anew?.code == .invalidOption && stub.requests.count == 1)
    }

    // YTK-28, YTK-32, YTK-B3: of a store in a folder too: after a restart `updates` begins with the last answer. `cached` knows the
    // newest answers, and reads no file where it is called. What is removed is not known any more.
    @Test func theLastAnswerOfAFolderIsShownFirst() async throws {
        let (folder, stub) = (try TemporaryFolder(), Self.counting())
        for expected in [[1], [1, 2]] {
            let store = try FileCacheStore(folder: folder.path("cache"))
            let client = Self.client(stub) { $0.cacheStore = .store(store) }
            #expect(client.cached(GetUser(id: 7)) == nil)
            var seen: [Int] = []
            for try await update in client.updates(GetUser(id: 7)) { seen.append(update.value.id) }
            #expect(seen == expected)
            try await client.cache.flush()
            #expect(client.cached(GetUser(id: 7))?.id == expected.last)
            #expect(client.cached(GetUser(id: 7)) { $0.principal = "another" } == nil)
            await client.shutdown()
        }
    }

    // YTK-25, YTK-28: the stored answer alone, or an error and its reason; nothing is sent.
    @Test func theStoredAnswerAloneOrAnError() async throws {
        let (folder, stub, time, told) = (try TemporaryFolder(), Self.counting(), ManualTime(), Locked<[CacheMiss]>([]))
        let store = try FileCacheStore(folder: folder.path("cache"))
        let client = Self.client(stub, time: time) {
            $0.cacheStore = .store(store)
            $0.observers = [
                .closure { event in
                    if case .stage(CacheEvent.missed(let why)) = event.kind, let miss = CacheMiss(rawValue: why) { told.withLock { $0.append(miss) } }
                }
            ]
        }
        _ = try await client.send(GetUser(id: 7))
        try await client.cache.flush()
        #expect(try await client.send(GetUser(id: 7)) { $0.cache = .onlyCached }.id == 1)
        let error = await #expect(throws: TarmacError.self) {
            try await client.send(GetUser(id: 7)) { ($0.cache, $0.cacheAppVersion) = (.onlyCached, "4") }
        }
        #expect(error?.code == .notCached && told.withLock { $0 } == [.missing, .appVersion])
        #expect(error?.reason.contains(CacheMiss.appVersion.rawValue) == true)
        // One that is too old is no answer either.
        time.advance(by: .seconds(181))
        let old = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) { $0.cache = .onlyCached } }
        #expect(old?.code == .notCached && told.withLock { $0 } == [.missing, .appVersion, .expired])
        #expect(old?.reason.contains(CacheMiss.expired.rawValue) == true)
        // The error says so too where nothing was ever kept.
        let never = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 8)) { $0.cache = .onlyCached } }
        #expect(never?.code == .notCached && never?.reason.contains(CacheMiss.missing.rawValue) == true)
        #expect(stub.requests.count == 1)
        // Of the store in memory too.
        let memory = Self.client(stub)
        _ = try await memory.send(GetUser(id: 7))
        #expect(try await memory.send(GetUser(id: 7)) { $0.cache = .onlyCached }.id == 2)
        #expect(stub.requests.count == 2)
    }

    // YTK-B1: the environment by itself: the URL is the same.
    @Test func anEnvironmentOfTheSameHostHasItsOwnAnswers() async throws {
        let client = Client(Self.counting()) { $0.cache = .ttl(.seconds(180)) }
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        client.environment = .test
        #expect(try await client.send(GetUser(id: 7)).id == 2)
    }

    // YTK-29, YTK-B1: users, credentials, environments and hosts never get each other's answers, nor do URLs that filters have changed.
    @Test(
        arguments: [
            "principal", "credentials", "named field", "declared field", "fields", "environment", "host", "path", "filter parameters", "service",
        ])
    func nobodyGetsTheAnswerOfAnother(difference: String) async throws {
        let count = Locked(0)
        let stub = StubTransport { _ in
            .json(#"{"id":\#(count.withLock { $0 += 1; return $0 }),"name":"ann"}"#, headers: [.vary: "Accept-Language"])
        }
        let client = Self.client(stub)
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        if difference == "environment" { client.environment = .test }
        let other = Service("u", host: "https://s.example")
        let user = try await (difference == "service" ? client[other] : client[.clientDefault]).send(GetUser(id: 7)) {
            switch difference {
            case "principal": $0.principal = "bo"
            case "credentials": $0.headers["Authorization"] = "Bearer bo"
            // A field whose name, or whose app, says that it is a secret is a credential, whatever `Vary` says.
            case "named field": $0.headers["X-Access-Token"] = "bo"
            case "declared field":
                $0.secretNames = ["X-Uid"]
                $0.headers["X-Uid"] = "bo"
            // Other fields count where the server says that its answer varies by them.
            case "fields": $0.headers["Accept-Language"] = "zh"
            case "host": $0.host = .cdn
            case "path": $0.urlFilters = [.filter { url, _ in try url.with(path: "/other" + url.path) }]
            case "filter parameters": $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }]
            default: break
            }
        }
        #expect(user.id == 2)
        let hosts = ["environment": "test.example", "host": "cdn.example"]
        #expect(stub.requests.map(\.url.host) == ["s.example", hosts[difference] ?? "s.example"])
        client.environment = .production
        #expect(try await client.send(GetUser(id: 7)).id == 1)
        // A field that `Vary` does not name tells no answers apart.
        #expect(try await client.send(GetUser(id: 7)) { $0.headers["X-Screen"] = "home" }.id == 1)
        #expect(stub.requests.count == 2)
    }

    // YTK-29, YTK-B1: who logs in counts too: by the account of the tokens, by the token of a call's authenticator and by a key in the query.
    @Test(arguments: ["account", "token", "key"])
    func nobodyGetsTheAnswerOfAnotherLogin(login: String) async throws {
        struct Unrenewed: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { AccessToken("new") }
        }
        let stub = Self.counting()
        let client = Self.client(stub) { if login == "account" { $0.authenticator = Authentication(Unrenewed()) } }
        func id(_ user: String) async throws -> Int {
            if login == "account" { try await client[.clientDefault].logIn(AccessToken("t-\(user)", account: user)) }
            let found = try await client.send(GetUser(id: 7)) {
                switch login {
                case "token": $0.authenticator = .bearer(user)
                case "key": $0.authenticator = .apiKey(user, query: "key")
                default: break
                }
            }
            return found.id
        }
        #expect(try await id("ann") == 1)
        #expect(try await id("bob") == 2)
        #expect(try await id("ann") == 1)
        #expect(stub.requests.count == 2)
    }
}
