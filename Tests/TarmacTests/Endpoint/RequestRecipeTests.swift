import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// A mark that is for one time only.
private struct Marked: ParameterTransform {
    var onlyProtects = true
    let count = Watched(0)

    func transform(_ parameters: ParameterList, for request: ParameterTarget) -> ParameterList {
        count.update { $0 += 1 }
        var list = parameters
        list.append(Parameter("mark", .string("\(count.value)")))
        list.append(Parameter("X-Mark", .string("\(count.value)"), placement: .header))
        return list
    }
}

/// Sends under way what the closure makes of them.
private struct Changing: Interceptor {
    let change: @Sendable (inout Request) -> Void
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        var request = request
        change(&request)
        return try await chain.proceed(request)
    }
}

/// What transforms put into a request for one time never goes out twice.
@Suite("Parameters are transformed anew for each sending", .timeLimit(.minutes(5)))
struct RequestRecipeTests {
    private func mark(_ request: Request) -> String? {
        let text = request.url.query ?? request.body.buffered.map { String(decoding: $0.array, as: UTF8.self) } ?? ""
        return text.firstMatch(of: #/mark"?[=:]"?(\d+)/#).map { String($0.1) }
    }

    private static let twice: @Sendable (inout Options) -> Void = { $0.retry = .exponential(maxAttempts: 3, base: .zero) }

    /// A request that an app keeps, such as that of an error's response, must keep neither connections nor stores.
    @Test func aKeptRequestKeepsNoClient() async throws {
        let kept: Request
        let weak: [Weak]
        do {
            let stub = StubTransport { _ in .json("{}") }
            let client = Client(stub) { $0.parameterTransforms = [Marked()] }
            try await client.get("/users", ["id": 7])
            kept = try #require(stub.requests.first)
            let runtime = try client.engine.runtime(.clientDefault)
            weak = [Weak(runtime), Weak(runtime.scope)]
            await client.shutdown()
        }
        await eventually { weak.allSatisfy { $0.object == nil } }
        let again = try #require(kept.recipe).remade(kept)
        #expect(mark(again) != mark(kept))
    }

    @Test(arguments: ["GET", "POST"]) func aRetryHasAMarkOfItsOwn(_ method: String) async throws {
        let answers = Watched(0)
        let stub = StubTransport { _ in
            answers.update { $0 += 1 }
            return answers.value < 3 ? .status(.serviceUnavailable) : .json("{}")
        }
        let client = Client(stub) {
            Self.twice(&$0)
            $0.parameterTransforms = [Marked()]
            $0.idempotencyKey = .automatic
        }
        try await client.send(method == "GET" ? InlineEndpoint<Void>.get("/a", ["b": 1]) : .post("/a", ["b": 1]))
        let marks = stub.requests.map { mark($0) }
        #expect(stub.requests.count == 3 && Set(marks).count == 3 && !marks.contains(nil), "\(marks)")
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-Mark")!] } == marks, "fields go with the parameters")
        if method == "POST" {
            let keys = stub.requests.map { $0.headers[.idempotencyKey] }
            #expect(Set(keys).count == 1 && keys[0] != nil, "the call stays one call")
        }
    }

    /// It may have signed what it saw.
    @Test func whatAnInterceptorChangedGoesOutAsItIs() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) {
            $0.parameterTransforms = [Marked()]
            $0.attemptInterceptors = [Changing { $0.url = $0.url.with(query: "\($0.url.query ?? "")&own=1") }]
        }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1]))
        #expect(stub.requests.first?.url.query == "b=1&mark=1&own=1")
    }

    /// It may be a signature over URL or body.
    @Test(arguments: ["X-Mark", "X-Sig", "Authorization", "Content-Type"]) func withAFieldSomebodySetSinceItGoesOutAsItIs(_ name: String) async throws {
        let name = try #require(HTTPField.Name(name))
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) {
            $0.parameterTransforms = [Marked()]
            $0.attemptInterceptors = [Changing { $0.headers[name] = "own" }]
        }
        try await client.send(InlineEndpoint<Void>.post("/a", ["b": 1]))
        let sent = try #require(stub.requests.first)
        #expect(sent.headers[name] == "own")
        #expect(mark(sent) == "1")
    }

    @Test func soDoesOneItsCallerSignedOrTookAFieldFrom() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) { $0.parameterTransforms = [Marked()] }
        let name = try #require(HTTPField.Name("X-Sig")), own = try #require(HTTPField.Name("X-Mark"))
        let plain = try client.request(for: InlineEndpoint<Void>.get("/a", ["b": 1]))
        _ = try await client.send(raw: plain)
        var signed = plain
        signed.headers[name] = "over the URL"
        _ = try await client.send(raw: signed)
        var bare = plain
        bare.headers[own] = nil
        _ = try await client.send(raw: bare)
        #expect(stub.requests.map { mark($0) } == ["2", "1", "1"])
    }

    /// They are no signatures over what was built.
    @Test(arguments: [("Authorization", "Bearer t"), ("Cookie", "a=1"), ("If-None-Match", "\"1\""), ("Range", "bytes=1-"), ("Upload-Length", "3")])
    func aFieldThatCoversNothingStaysBesideNewParameters(_ name: String, _ value: String) async throws {
        let name = try #require(HTTPField.Name(name))
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) {
            $0.parameterTransforms = [Marked()]
            $0.attemptInterceptors = [Changing { $0.headers[name] = value }]
        }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1]))
        let sent = try #require(stub.requests.first)
        #expect(sent.headers[name] == value)
        #expect(mark(sent) == "2")
    }

    @Test func theOtherHostGetsAMarkOfItsOwn() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting, "closed") }
            return .json("{}")
        }
        let service = Service("s", hosts: [.production: Hosts("https://s.example", cdn: "https://cdn.example")])
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.parameterTransforms = [Marked()]
            $0.host = .cdn
        }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1]))
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "s.example"])
        #expect(Set(stub.requests.map { mark($0) }).count == 2)
    }

    /// They would never meet with marks in their keys.
    @Test(arguments: [true, false]) func aCacheKnowsACallByWhatItAsks(_ onlyProtects: Bool) async throws {
        let stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            $0.parameterTransforms = [Marked(onlyProtects: onlyProtects)]
            $0.cache = .http
        }
        for _ in 0..<3 { try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1])) }
        try await client.send(InlineEndpoint<Void>.get("/a", ["b": 2]))
        #expect(stub.requests.count == (onlyProtects ? 2 : 4))
    }

    /// Its answer came to a request that anybody on the way could have changed.
    @Test(arguments: [CacheRule.http, .ttl(.seconds(60))]) func anUnprotectedRequestHasNoShareInTheCache(_ rule: CacheRule) async throws {
        let stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            $0.parameterTransforms = [Marked()]
            $0.cache = rule
        }
        let open = Request(.get, try HTTPURL("https://s.example/a?b=1"))
        for _ in 0..<2 { _ = try await client.send(raw: open) }
        #expect(stub.requests.count == 1)
        for _ in 0..<2 { try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1])) }
        #expect(stub.requests.count == 2)
    }

    @Test func protectedCallsShareAFlightWhateverTheirMarksAndOpenOnesDoNot() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let recorder = EventRecorder()
        stub.hold()
        let client = Client(stub) {
            $0.parameterTransforms = [Marked()]
            $0.coalesces = true
            $0.observers = [recorder]
        }
        let open = Request(.get, try HTTPURL("https://s.example/a?b=1"))
        let raw = Task { _ = try await client.send(raw: open) }
        try await stub.received(count: 1)
        let calls = (0..<3).map { _ in Task { try await client.send(InlineEndpoint<Void>.get("/a", ["b": 1])) } }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count >= 2 }
        try await stub.received(count: 2)
        stub.release()
        try await raw.value
        for call in calls { try await call.value }
        #expect(stub.requests.count == 2)
    }

    /// A part of the body may be taken for the whole in one time and not in the next.
    @Test func aBodyThatIsSecretInTheNewPartsIsMasked() async throws {
        struct Hiding: ParameterTransform {
            let count = Watched(0)
            func transform(_ parameters: ParameterList, for request: ParameterTarget) -> ParameterList {
                count.update { $0 += 1 }
                return ParameterList([Parameter("whole", .string("a"), placement: .body, isSecret: count.value > 1)])
            }
        }
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) { $0.parameterTransforms = [Hiding()] }
        let built = try client.request(for: InlineEndpoint<Void>.post("/a"))
        #expect(!built.secrets.isBody)
        let recipe = try #require(built.recipe)
        let remade = try recipe.remade(built)
        #expect(remade.secrets.isBody)
    }

    @Test func transformsOfACallsOwnCannotBeCompared() throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(stub) { $0.parameterTransforms = [Marked()] }
        let endpoint = InlineEndpoint<Void>.get("/a", ["b": 1])
        let shared = try client.request(for: endpoint)
        #expect(shared.question.url.query == "b=1" && shared.question.isHidden)
        let own = try client.request(for: endpoint) { $0.parameterTransforms = [Marked()] }
        #expect(own.question.url == own.url && !own.question.isHidden)
    }
}
