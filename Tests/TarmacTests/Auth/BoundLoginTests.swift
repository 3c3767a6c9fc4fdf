import Foundation
import HTTPTypes
import TarmacResumableUpload
import TarmacStreams
import TarmacTesting
import TarmacTraffic
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Bob logs in while a call of Ann is between two requests. No request of it goes with Bob's token, and nothing of his is hers.
@Suite("A call belongs to one login", .timeLimit(.minutes(5)))
struct BoundLoginTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configure: @Sendable (inout Options) -> Void
        let answer: @Sendable (Int, Request) throws -> Response
        let run: @Sendable (Client) async throws -> Void

        init(
            _ name: String, configure: @escaping @Sendable (inout Options) -> Void = { _ in }, answer: @escaping @Sendable (Int, Request) throws -> Response,
            run: @escaping @Sendable (Client) async throws -> Void
        ) { (testDescription, self.configure, self.answer, self.run) = (name, configure, answer, run) }
    }

    private static func put(_ client: Client) async throws {
        _ = try await client.send(raw: Request(.put, try HTTPURL("https://s.example/draft"), body: .text("of ann", contentType: "text/plain")))
    }

    static let ways: [Way] = [
        Way("status 503", answer: { number, _ in number == 1 ? .json("{}", status: .serviceUnavailable) : .json("{}") }) {
            try await $0.get("/me")
        },
        Way("connection lost") { number, _ in
            if number == 1 { throw TarmacError(.connectionLost, phase: .waiting) }
            return .json("{}")
        } run: {
            try await put($0)
        },
        Way("307", answer: { number, _ in number == 1 ? .redirect(to: "/other", status: .temporaryRedirect) : .json("{}") }) { try await put($0) },
        Way("302", answer: { number, _ in number == 1 ? .redirect(to: "/other") : .json("{}") }) { try await $0.get("/me") },
        Way("a stream that reconnects") { number, _ in
            .chunks([number == 1 ? "id: 7\ndata: for ann\n\n" : "data: end\n\n"], headers: [.contentType: "text/event-stream"])
        } run: { client in
            let rule = EventStreamRule.reconnecting { ($0.delay, $0.endMarker) = (.zero, "end") }
            for try await _ in client.events(.get("/inbox"), configure: { $0.events = rule }) {}
        },
        Way("failover", configure: { ($0.host, $0.failover) = (.cdn, .toOrigin) }) { number, _ in
            if number == 1 { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        } run: {
            try await $0.get("/me")
        },
    ]

    private static let service = Service("s", hosts: [.production: Hosts("https://s.example", cdn: "https://cdn.example")])

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub(stub), services: [Self.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: MemoryTokenStore())
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.resume = .automatic { $0.base = .zero }
            configure(&$0)
        }
    }

    @Test(arguments: ways, [false, true]) func noRequestOfAnnCarriesBobsToken(way: Way, isLoggedOutFirst: Bool) async throws {
        let box = Locked<Client?>(nil), number = Watched(0)
        let stub = StubTransport { request in
            number.update { $0 += 1 }
            let now = number.value
            if now == 1, let client = box.withLock({ $0 }) {
                if isLoggedOutFirst { try await client.logOut() }
                try await client.logIn(AccessToken("B", account: "bob"))
            }
            return try way.answer(now, request)
        }
        let client = client(stub, way.configure)
        box.withLock { $0 = client }
        try await client.logIn(AccessToken("A", account: "ann"))
        _ = try? await way.run(client)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer A"], "\(stub.requests.map { "\($0.method) \($0.url)" })")
        box.withLock { $0 = nil }
        await client.shutdown()
    }

    @Test(arguments: [CacheRule.http, .ttl(.seconds(60))], [false, true]) func bobsAnswerIsNotKeptForAnn(rule: CacheRule, isRedirected: Bool) async throws {
        let box = Locked<Client?>(nil), number = Watched(0)
        let stub = StubTransport { request in
            number.update { $0 += 1 }
            if number.value == 1 {
                try await box.withLock { $0 }?.logIn(AccessToken("B", account: "bob"))
                return isRedirected ? .redirect(to: "/me2") : .json("{}", status: .serviceUnavailable)
            }
            return .text(request.headers[.authorization] ?? "-", headers: [.cacheControl: "max-age=600"])
        }
        let client = client(stub) { $0.cache = rule }
        box.withLock { $0 = client }
        try await client.logIn(AccessToken("A", account: "ann"))
        await #expect(throws: TarmacError.self) { try await client.get("/me", as: String.self) }
        try await client.logIn(AccessToken("A2", account: "ann"))
        #expect(try await client.get("/me", as: String.self) == "Bearer A2")
        box.withLock { $0 = nil }
        await client.shutdown()
    }

    @Test(arguments: ["download", "tus", "ietf"]) func aTransferOfAnnDoesNotGoOnAsBob(kind: String) async throws {
        let box = Locked<Client?>(nil), number = Watched(0), file = StubFile(noise(5000)), uploads = StubUploads()
        if kind == "download" { file.breakOff(after: [2000]) } else { uploads.breakOff(after: [2000]) }
        let stub = StubTransport { request in
            number.update { $0 += 1 }
            if number.value == (kind == "download" ? 1 : 2) { try await box.withLock { $0 }?.logIn(AccessToken("B", account: "bob")) }
            return kind == "download" ? file.answer(request) : try uploads.answer(request)
        }
        let client = client(stub) { _ in }
        box.withLock { $0 = client }
        try await client.logIn(AccessToken("A", account: "ann"))
        _ = try await withFolder { folder in
            await #expect(throws: TarmacError.self) {
                if kind == "download" {
                    _ = try await client.send(Download(.get("/f"), to: "\(folder)/f"))
                } else {
                    let source = UploadSource.data(Data(noise(5000)), name: "f.png")
                    _ = try await client.send(Upload(source, to: .post("/files"), by: kind == "ietf" ? .ietf : .tus))
                }
            }
        }
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer A" })
        box.withLock { $0 = nil }
        await client.shutdown()
    }
}
