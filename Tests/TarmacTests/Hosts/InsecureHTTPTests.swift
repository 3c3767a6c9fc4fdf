import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// https unless a service says otherwise; this machine is always allowed.
@Suite("Plain http is refused", .timeLimit(.minutes(5)))
struct InsecureHTTPTests {
    private func client(_ stub: StubTransport, host: Hosts = "http://s.example", _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: host)], configure: configure)
    }

    @Test(arguments: [Verb.send, .sendNothing, .landed, .get, .post, .stream, .download])
    func itIsRefusedBeforeAnythingIsSentByEveryVerb(verb: Verb) async throws {
        let stub = StubTransport { _ in .json("{}") }
        let error = await failure { try await verb.fly(client(stub)) }
        #expect(error?.code == .insecureHTTP && error?.phase == .building && error?.attempts == 0)
        #expect(error?.reason.contains("http://s.example/verb") == true)
        #expect(error?.suggestion?.contains("allowsInsecureHTTP") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func aRawRequestAndAnAbsoluteURLAreRefusedToo() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = client(stub, host: "https://s.example")
        let raw = try Request(.get, HTTPURL("http://s.example/"))
        #expect(await failure { _ = try await client.send(raw: raw) }?.code == .insecureHTTP)
        #expect(await failure { _ = try await client.get("http://s.example/x", as: JSON.self) }?.code == .insecureHTTP)
        #expect(throws: TarmacError.self) { try client.request(for: .get("http://s.example/x", as: JSON.self)) }
        #expect(stub.requests.isEmpty)
    }

    @Test func aRedirectMayNotLeadToIt() async throws {
        for (start, isHome) in [("https://s.example", false), ("http://127.0.0.1:1", true)] {
            let stub = StubTransport { request in
                request.url.path == "/there" ? .json("{}") : .status(.found, headers: [.location: "http://other.example/there"])
            }
            let client = client(stub, host: Hosts(start))
            let error = await failure { _ = try await client.get("/", as: JSON.self) }
            #expect(error?.code == (isHome ? .insecureHTTP : .redirectRefused))
            // Even where the redirect itself is allowed to lead there.
            let second = await failure { _ = try await client.get("/", as: JSON.self) { $0.redirects = .follow.allowingDowngrade() } }
            #expect(second?.code == .insecureHTTP && second?.attempts == 1)
            #expect(stub.requests.allSatisfy { $0.url.path == "/" })
        }
    }

    @Test func anInterceptorMayNotLeadToIt() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = client(stub, host: "https://s.example") {
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    var request = request
                    request.url = try HTTPURL("http://s.example/")
                    return try await chain.proceed(request)
                }
            ]
        }
        #expect(await failure { _ = try await client.get("/", as: JSON.self) }?.code == .insecureHTTP)
        #expect(stub.requests.isEmpty)
    }

    @Test func aServiceThatAllowsItSaysSoAtEveryRequest() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let recorder = EventRecorder(), lines = Watched<[String]>([])
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: "http://s.example") { $0.allowsInsecureHTTP = true }]
        ) {
            $0.observers = [recorder, ConsoleLogger(.landings) { line in lines.update { $0.append(line) } }]
        }
        _ = try await client.get("/", as: JSON.self)
        _ = try await client.get("/", as: JSON.self)
        #expect(recorder.names.count { $0 == "warning" } == 2)
        // The console has it once a minute.
        #expect(lines.value.count { $0.contains("⚠️") && $0.contains("http://s.example") } == 1)
        #expect(
            client.explain(.get("/", as: JSON.self))["allowsInsecureHTTP"].map { "\($0)" }
                == "allowsInsecureHTTP true, PLAIN http IS SENT ← service s, hides default false")
    }

    @Test func httpsSaysNothing() async throws {
        let recorder = EventRecorder()
        let client = Client(StubTransport { _ in .json("{}") }) {
            $0.allowsInsecureHTTP = true
            $0.observers = [recorder]
        }
        _ = try await client.get("/", as: JSON.self)
        #expect(!recorder.names.contains("warning"))
    }

    @Test func aSocketOfThisMachineIsThisMachine() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let connection = ConnectionSettings { $0.unixSocket = "/run/s.sock" }
        for service in [
            Service("a", host: "http://s.example", connection: connection), Service("b", host: Hosts("http://s.example", connection: connection)),
        ] {
            _ = try await Client(transport: .stub(stub), services: [service]).get("/", as: JSON.self)
        }
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: [
        ("localhost", true), ("LOCALHOST:8080", true), ("localhost.", true), ("127.0.0.1", true), ("127.255.1.2:1", true), ("[::1]", true),
        ("[0:0:0:0:0:0:0:1]:9", true), ("128.0.0.1", false), ("0.0.0.0", false), ("localhost.example", false), ("a.localhost", false),
        ("127.0.0.1.example", false), ("1.example", false), ("127.example", false), ("[::2]", false), ("[::]", false),
        ("10.0.0.1", false), ("192.168.1.1", false), ("localhost-1", false),
    ])
    func thisMachineIsWhatTheStandardsSay(host: String, isLoopback: Bool) throws {
        #expect(try HTTPURL("http://\(host)/").isLoopback == isLoopback)
    }
}
