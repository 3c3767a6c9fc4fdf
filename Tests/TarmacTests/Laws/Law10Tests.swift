import HTTPTypes
import Tarmac
import TarmacCache
import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

/// What a caller may get wrong.
struct BadInput: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: TarmacError.Code
    /// What the error's text has to name.
    let named: String
    var hosts: Hosts = "https://s.example"
    var capabilities = TransportCapabilities.everything
    var endpoint: @Sendable () throws -> InlineEndpoint<Void> = { .get("/") }
    var configure: @Sendable (inout Options) -> Void = { _ in }

    static func url(_ text: String, _ named: String) -> BadInput {
        BadInput(testDescription: "URL \(text)", code: .invalidURL, named: named, endpoint: { .get(text) })
    }

    static func template(_ text: String, _ code: TarmacError.Code = .invalidURL, named: String) -> BadInput {
        BadInput(testDescription: "template \(text)", code: code, named: named, endpoint: { .get(text) })
    }

    static func value(_ name: String, _ value: ParameterValue, _ template: String = "/") -> BadInput {
        BadInput(
            testDescription: "value of \(name)", code: .invalidParameter, named: name,
            endpoint: { .get(template, ParameterList([Parameter(name, value)])) })
    }

    static func option(_ named: String, _ code: TarmacError.Code = .invalidOption, _ set: @escaping @Sendable (inout Options) -> Void) -> BadInput {
        BadInput(testDescription: "option \(named)", code: code, named: named, configure: set)
    }

    static func header(_ name: String, _ value: String, named: String) -> BadInput {
        BadInput(testDescription: "header \(name)", code: .invalidParameter, named: named, configure: { $0.headers[name] = value })
    }
}

extension BadInput {
    static let badLimits: [TimeLimit] = [
        .seconds(0), .seconds(-1), .seconds(-0.5), .seconds(Double.nan), .seconds(Double.infinity), .seconds(-Double.infinity),
        .seconds(1e300), .milliseconds(-1), .minutes(-1), .minutes(.min), .duration(.zero),
    ]

    static let times: [BadInput] = badLimits.flatMap { limit in
        [
            option("timeout") { $0.timeout = limit }, option("connectTimeout") { $0.connectTimeout = limit },
            option("queueTimeout") { $0.queueTimeout = limit }, option("idleTimeout") { $0.idleTimeout = limit },
            option("deadline") { $0.deadline = limit }, option("slowCall") { $0.slowCall = limit },
        ]
    }

    static let all: [BadInput] = [
        url("http://", "http://"), url("http://[::1", "[::1"), url("http://h:99999/", "h:99999"), url("http://h:x/", "h:x"),
        template("https://a b/", named: "a b"), url("ftp://h/x", "ftp://h/x"), url("file:///etc/hosts", "file:"), url("http://user:pw@h/", "h/"),
        BadInput(testDescription: "host", code: .invalidURL, named: "s.example", hosts: "htp://s.example"),
        BadInput(testDescription: "relative host", code: .invalidURL, named: "s.example", hosts: "s.example"),
        BadInput(testDescription: "no cdn", code: .missingHost, named: "cdn", configure: { $0.host = .cdn }),
        template("/users/{id", named: "/users/{id"), template("/users/{}", named: "{}"), template("/users/{id}}", named: "{id}}"),
        template("/users/{id:0}", named: "id:0"), template("/users/{id}", .invalidParameter, named: "id"),
        value("n", .double(.nan)), value("n", .double(.infinity)), value("id", "..", "/users/{id}"), value("id", ".", "/users/{id}/x"),
        value("id", "../..", "/users/{+id}"), value("id", "..;a", "/users/{+id}"),
        header("X-A", "a\r\nX-B: c", named: "X-A"), header("X-A", "a\nb", named: "X-A"), header("X-A", "a\0b", named: "X-A"),
        header("X A", "a", named: "X A"), header("", "a", named: "\"\""), header("X-A\r\nB", "a", named: "X-AB"),
        BadInput(
            testDescription: "header of an endpoint", code: .invalidParameter, named: "X-A",
            endpoint: { .get("/", ParameterList([Parameter("X-A", "a\r\nb", placement: .header)])) }),
        BadInput(
            testDescription: "content type of a body", code: .invalidParameter, named: "Content-Type",
            endpoint: { .post("/", body: .text("x", contentType: "a\r\nb")) }),
        BadInput(
            testDescription: "method", code: .invalidOption, named: "BAD METHOD",
            endpoint: {
                InlineEndpoint(.method("BAD METHOD", "/"), landing: .void)
            }),
        BadInput(
            testDescription: "file", code: .unreadableFile, named: "/nowhere/at/all",
            endpoint: {
                .post("/", body: try .file("/nowhere/at/all"))
            }),
        BadInput(testDescription: "folder", code: .unreadableFile, named: "/tmp", endpoint: { .post("/", body: try .file("/tmp")) }),
        option("userAgent") { $0.userAgent = "a\r\nb" },
        option("idempotencyKey") { $0.idempotencyKey = .value("") },
        option("idempotencyKey") { $0.idempotencyKey = .value("a b") },
        option("idempotencyKey") { $0.idempotencyKey = .value(String(repeating: "a", count: 256)) },
        option("subPath") { $0.subPath = "/orders?id=7" },
        option("subPath") { $0.subPath = "../admin" },
        option("expectedDigest") { $0.expectedDigest = .sha256("ab") },
        option("authenticator") { $0.authenticator = .bearer("a\r\nb") },
        option("redirects") { $0.redirects = .follow(limit: -1) },
        option("maximumBodySize") { $0.maximumBodySize = -1 },
        option("cacheStore") { $0.cacheStore = .store(MemoryCacheStore(limit: -1)) },
        option("maximumInflatedSize") { $0.maximumInflatedSize = .min },
        BadInput(
            testDescription: "connectTimeout nobody reports", code: .unsupported, named: "connectTimeout",
            capabilities: .everything.subtracting(.connectionReports), configure: { $0.connectTimeout = .seconds(3) }),
    ]
}

/// An endpoint whose request is made when the call is.
private struct Late: Endpoint {
    typealias Value = Void
    static let route: Route = .get("/")
    static let name = "Late"
    let input: BadInput
    var route: Route { (try? input.endpoint().route) ?? .post("/") }
    func parameters() throws -> ParameterList { try input.endpoint().parameters() }
    func body() throws -> Body? { try input.endpoint().body() }
    func configure(_ options: inout Options) { input.configure(&options) }
}

@Suite("Law 10: bad input is an error that names it, before anything is sent", .timeLimit(.minutes(5)))
struct Law10Tests {
    private func check(_ input: BadInput, _ configure: (inout Options) -> Void = { _ in }) async {
        let stub = StubTransport(capabilities: input.capabilities) { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: input.hosts)], configure: configure)
        let error = await failure(input.testDescription) { try await client.send(Late(input: input)) }
        #expect(error?.code == input.code)
        #expect(error?.code.category == .input)
        #expect(error.map { $0.description.contains(input.named) } == true, "\(error as Any)")
        #expect(error?.attempts == 0)
        #expect(error?.endpoint == "Late")
        #expect(stub.requests.isEmpty)
        #expect(stub.inFlight == 0)
    }

    @Test(arguments: BadInput.all)
    func badInputIsNamedAndNothingIsSent(input: BadInput) async { await check(input) }

    /// A call that is watched is built before it has a slot, one that is not after: neither may send.
    @Test(arguments: BadInput.all)
    func badInputIsNamedWhenTheCallIsWatched(input: BadInput) async { await check(input) { $0.observers.append(EventRecorder()) } }

    @Test(arguments: [0, -1, .min])
    func aClientThatMaySendNothingSaysSo(concurrency: Int) async {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], concurrency: concurrency)
        let error = await failure("concurrency") { try await client.get("/") }
        #expect(error?.code == .invalidOption && error?.description.contains("concurrency") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: BadInput.times)
    func anImpossibleTimeIsNamed(input: BadInput) async { await check(input) }

    @Test(arguments: ["timeout", "deadline", "queueTimeout", "idleTimeout", "connectTimeout"])
    func theLongestTimeThereIsIsNoCrash(name: String) async throws {
        for limit in [TimeLimit.minutes(.max), .milliseconds(.max), .seconds(9e14), .duration(.seconds(Int64.max))] {
            let client = Client(StubTransport { _ in .status(.ok) }, time: ManualTime())
            try await client.get("/") { options in
                switch name {
                case "timeout": options.timeout = limit
                case "deadline": options.deadline = limit
                case "queueTimeout": options.queueTimeout = limit
                case "idleTimeout": options.idleTimeout = limit
                default: options.connectTimeout = limit
                }
            }
        }
    }

    /// The system's clock traps on instants it cannot count in seconds, `Duration.components` on such durations.
    @Test(arguments: [TimeLimit.minutes(.max), .seconds(9e14), .duration(.seconds(Int64.max) * 4)])
    func theLongestTimeIsShownAndWaitedForOnTheSystemsClock(limit: TimeLimit) async throws {
        let client = Client(StubTransport { _ in .status(.ok) }) {
            $0.timeout = limit
            $0.deadline = limit
            $0.queueTimeout = limit
            $0.idleTimeout = limit
            $0.connectTimeout = limit
        }
        try await client.get("/")
        #expect(try #require(limit.duration) >= .seconds(3_155_760_000))
        #expect(!limit.description.isEmpty)
        #expect(client.explain(.get("/")).description.contains(limit.description))
        await client.shutdown()
    }

    @Test func anUnlimitedConnectTimeoutIsNoWish() async throws {
        let stub = StubTransport(capabilities: .everything.subtracting(.connectionReports)) { _ in .status(.ok) }
        try await Client(stub).get("/") { $0.connectTimeout = .unlimited }
        try await Client(stub).get("/")
        #expect(stub.requests.count == 2)
    }

    @Test func aServiceWithoutAHostNamesTheEnvironment() async {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [Service("shop", hosts: [.test: "https://t.example"])])
        let error = await failure { try await client.get("/") }
        #expect(error?.code == .missingHost)
        #expect(error?.reason.contains("shop") == true && error?.reason.contains("production") == true)
        #expect(error?.attempts == 0)
        #expect(stub.requests.isEmpty)
    }

    @Test func bothRefusalsOfAURLAreTheSameForARawRequest() async {
        for text in ["http://", "s.example", "https://s.example/\r\n"] {
            #expect(await failure { _ = try HTTPURL(text) }?.code == .invalidURL)
        }
    }

    @Test(arguments: [
        ("/a/{v}", "a/b?c#d&e", "/a/a%2Fb%3Fc%23d%26e"), ("/a{/v}", "a/b", "/a/a%2Fb"), ("/a{.v}", "a/b", "/a.a%2Fb"),
        ("/a{;v}", "a/b", "/a;v=a%2Fb"), ("/a{?v}", "a&b=c", "/a?v=a%26b%3Dc"), ("/a/{+v}", "b/c", "/a/b/c"),
    ])
    func onlyPlusAndHashLetReservedCharactersThrough(template: String, value: String, target: String) async throws {
        let stub = StubTransport { _ in .status(.ok) }
        try await Client(stub).get(template, ["v": value])
        #expect(stub.requests.first?.url.requestTarget == target)
    }

    @Test func aTransportThatCannotBeMadeIsNamed() async {
        let refusing = TransportFactory(name: "picky") { _ in
            throw TarmacError(.unsupported, "unixSocket: picky cannot", suggestion: "leave it")
        }
        let error = await failure { try await Client(transport: refusing, services: [Service("s", host: "https://s.example")]).get("/") }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("unixSocket") == true)
        #expect(error?.endpoint == "GET /")
        #expect(error?.attempts == 0)
    }
}
