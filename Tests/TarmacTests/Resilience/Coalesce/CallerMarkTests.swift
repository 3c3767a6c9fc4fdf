import Foundation
import HTTPTypes
import TarmacCookies
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Who asks may be known to an attempt interceptor alone. Then no answer serves two callers.
@Suite("Sharing below an attempt interceptor", .timeLimit(.minutes(5)))
struct CallerMarkTests {
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout Request, String) throws -> Void

        init(_ name: String, _ apply: @escaping @Sendable (inout Request, String) throws -> Void) { (testDescription, self.apply) = (name, apply) }
    }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text)! }

    static let changes: [Change] = [
        Change("Authorization") { $0.headers[.authorization] = "Bearer \($1)" },
        Change("Cookie") { $0.headers[.cookie] = "sid=\($1)" },
        Change("X-User-Id") { $0.headers[name("X-User-Id")] = $1 },
        Change("X-Tenant-Name") { $0.headers[name("X-Tenant-Name")] = $1 },
        Change("Accept-Language, which Vary names") { $0.headers[.acceptLanguage] = $1 == "ann" ? "de" : "fr" },
        Change("a parameter") { $0.url = $0.url.adding(query: "as", $1) },
        Change("the path") { $0.url = try HTTPURL("https://s.example/\($1)") },
        Change("the host") { $0.url = try HTTPURL("https://\($1).s.example/me") },
        Change("the method") { request, user in if user == "ann" { request.method = .head } },
        Change("a body") { $0.body = .text($1, contentType: "text/plain") },
    ]

    struct Sharing: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configure: @Sendable (inout Options) -> Void
    }

    static let sharings: [Sharing] = [
        Sharing(testDescription: "coalesces") { $0.coalesces = true },
        Sharing(testDescription: "cache") { $0.cache = .http },
        Sharing(testDescription: "cache of the app's rule") { $0.cache = .ttl(.seconds(60)) },
        Sharing(testDescription: "cache, coalesces") { ($0.cache, $0.coalesces) = (.http, true) },
    ]

    private struct Asking: Interceptor {
        let apply: @Sendable (inout Request, String) throws -> Void
        @TaskLocal static var user = "ann"

        nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var request = request
            try apply(&request, Self.user)
            return try await chain.proceed(request)
        }
    }

    @Test(arguments: changes, sharings) func eachCallerGetsTheirOwnAnswer(change: Change, sharing: Sharing) async throws {
        let stub = StubTransport { request in
            let body = request.body.buffered.map { String(decoding: $0.array, as: UTF8.self) } ?? ""
            return .text(
                "\(request.method) \(request.url.string) \(request.headers) \(body)", headers: [.cacheControl: "max-age=60", .vary: "Accept-Language"])
        }
        let recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            sharing.configure(&$0)
            $0.observers = [recorder]
            $0.attemptInterceptors = [Asking(apply: change.apply)]
        }
        stub.hold()
        let request = Request(.get, try HTTPURL("https://s.example/me"))
        func ask(_ user: String) -> Task<String, any Error> {
            Asking.$user.withValue(user) {
                Task { String(decoding: try await client.send(raw: request).body.collected?.array ?? [], as: UTF8.self) }
            }
        }
        let ann = ask("ann")
        try await stub.received(count: 1)
        let bob = ask("bob")
        await eventually { recorder.names.contains("coalesced") }
        stub.release()
        let answers = [try await ann.value, try await bob.value]
        #expect(answers[0] != answers[1] && stub.requests.count == 2, "\(answers)")
        await client.shutdown()
    }

    @Test(arguments: sharings) func anInterceptorThatNamesTheRequestAloneTakesNothingAway(sharing: Sharing) async throws {
        let stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }, number = Watched(0), recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            sharing.configure(&$0)
            $0.observers = [recorder]
            $0.attemptInterceptors = [
                Asking { request, _ in
                    number.update { $0 += 1 }
                    request.headers[Self.name("X-Request-Id")] = "\(number.value)"
                }
            ]
        }
        stub.hold()
        async let one = client.get("/me", as: JSON.self)
        try await stub.received(count: 1)
        async let other = client.get("/me", as: JSON.self)
        await eventually { recorder.names.contains("coalesced") }
        stub.release()
        _ = try await (one, other)
        #expect(stub.requests.count == 1)
        await client.shutdown()
    }

    /// A login by cookie: the key of a request that is shared has the cookies that it is sent with.
    @Test(arguments: sharings, ["bob", "nobody"]) func aCallUnderAnotherCookieIsAnotherCall(sharing: Sharing, next: String) async throws {
        let stub = StubTransport { request in
            if request.url.path.hasPrefix("/as-") { return .json("{}", headers: [.setCookie: "sid=\(request.url.path.dropFirst(4)); Path=/"]) }
            return .text(request.headers[.cookie] ?? "nobody", headers: [.cacheControl: "max-age=60"])
        }
        let jar = CookieJar()
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            sharing.configure(&$0)
            $0.cookies = .jar(jar)
        }
        try await client.get("/as-ann")
        stub.hold()
        let ann = Task { try await client.get("/me", as: String.self) }
        try await stub.received(count: 2)
        try jar.removeCookies()
        let scope = try await client.cookieScope(for: .get("/me", as: String.self))
        if next == "bob" { try jar.keep(["sid=bob; Path=/"], from: HTTPURL("https://s.example/"), scope: scope, at: Date()) }
        let other = Task { try await client.get("/me", as: String.self) }
        try await stub.received(count: 3)
        stub.release()
        #expect(try await ann.value == "sid=ann")
        #expect(try await other.value == (next == "bob" ? "sid=bob" : "nobody"))
        await client.shutdown()
    }

    private struct Naming: ParameterTransform {
        let place: Parameter.Placement
        let user: Watched<String>
        func transform(_ parameters: ParameterList, for request: ParameterTarget) -> ParameterList {
            var list = parameters
            list.append(Parameter(place == .header ? "X-User-Id" : "of", .string(user.value), placement: place))
            list.append(Parameter("ts", .string("\(user.value) now")))
            return list
        }
    }

    /// A transform runs again for a retry. If it names another user then, the answer is none to the first question.
    @Test(arguments: sharings, [Parameter.Placement.query, .header]) func aRetryForAnotherUserAnswersNobodyElse(sharing: Sharing, place: Parameter.Placement)
        async throws
    {
        let user = Watched("ann"), count = Watched(0), recorder = EventRecorder()
        let stub = StubTransport { request in
            count.update { $0 += 1 }
            if count.value == 1 { return .status(.serviceUnavailable) }
            let name = request.headers[Self.name("X-User-Id")] ?? (request.url.query?.contains("of=bob") == true ? "bob" : "ann")
            return .text(name, headers: [.cacheControl: "max-age=60"])
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            sharing.configure(&$0)
            $0.observers = [recorder]
            $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1))
            $0.parameterTransforms = [Naming(place: place, user: user)]
        }
        stub.hold()
        let first = Task { try await client.get("/me", as: String.self) }
        try await stub.received(count: 1)
        let second = Task { try await client.get("/me", as: String.self) }
        await eventually { recorder.names.contains("coalesced") }
        user.update { $0 = "bob" }
        stub.release()
        _ = try await (first.value, second.value)
        user.update { $0 = "ann" }
        #expect(try await client.get("/me", as: String.self) == "ann")
        await client.shutdown()
    }

    /// A form may have another charset than UTF-8.
    @Test func bytesThatAreNotUTF8AreTwoQuestions() async throws {
        let stub = StubTransport { request in .text(request.body.buffered.map { "\($0.array)" } ?? "") }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.cache = .ttl(.seconds(60)) { $0.ignoredArguments = ["t"] }
        }
        var answers: [String] = []
        for bytes in [[0xC4, 0xE3], [0xC4, 0xE4], [0xC4, 0xE3]] as [[UInt8]] {
            let body = Body.bytes(Array("t=\(answers.count)&q=".utf8) + bytes, contentType: "application/x-www-form-urlencoded")
            answers.append(try await client.post("/search", body: body, as: String.self))
        }
        #expect(answers[0] != answers[1] && answers[0] == answers[2] && stub.requests.count == 2)
    }

    private struct Stamping: ParameterTransform {
        let count = Watched(0)
        func transform(_ parameters: ParameterList, for request: ParameterTarget) -> ParameterList {
            count.update { $0 += 1 }
            var list = parameters
            list.append(Parameter("sign", .string("\(count.value)"), placement: .query))
            return list
        }
    }

    @Test func aSignedChangeRemovesWhatItChanges() async throws {
        let stub = StubTransport { request in .text("\(request.method)", headers: [.cacheControl: "max-age=60"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.cache = .ttl(.seconds(60)) { $0.ignoredArguments = ["sign"] }
            $0.parameterTransforms = [Stamping()]
        }
        for _ in 0..<2 { _ = try await client.get("/me", as: String.self) }
        #expect(stub.requests.count == 1)
        try await client.put("/me", body: .text("x"))
        _ = try await client.get("/me", as: String.self)
        #expect(stub.requests.map(\.method) == [.get, .put, .get])
        await client.shutdown()
    }
}
