import HTTPTypes
import TarmacCallLog
@_spi(TarmacRooms) import TarmacCore
import TarmacHAR
import TarmacJSON
import Testing

@testable import TarmacInspector

@Suite struct RoutesTests {
    private let log = CallLog(last: 50, bodies: .first(.kib(4)))

    private func withRoutes(_ body: (Client, InspectorRoutes) async throws -> Void) async throws {
        let log = log
        try await withClient(transport: .echo, services: [Service("demo", host: "https://demo.example")], configure: { $0.log = log }) { client in
            let desk = ClientActions(client: client, environments: [.production, .test])
            try await body(client, InspectorRoutes(calls: .log(log), desk: desk, feed: Feed(), listening: .loopback))
        }
    }

    private func answer(_ routes: InspectorRoutes, _ path: InspectorPath, _ query: [(name: String, value: String)] = [], _ order: String = "{}") async -> (
        Int, String
    ) {
        let answer = await routes.answer(InspectorRequest(path.method, path.rawValue, query: query), path, body: Array(order.utf8))
        guard case .bytes(let bytes) = answer.content else { return (answer.status, "") }
        return (answer.status, String(decoding: bytes, as: UTF8.self))
    }

    @Test func noAnswerHasASecret() async throws {
        let secret = "hush-4f9a2c7e1b", bearer = "Bearer \(secret)"
        try await withRoutes { client, routes in
            let request = try Request(
                .post, "https://demo.example/a?access_token=\(secret)", headers: [.authorization: bearer, .contentType: "application/json"],
                body: .bytes(Bytes(Array("{\"password\":\"\(secret)\"}".utf8))))
            _ = try await client.send(raw: request)
            let id = "\(try #require(log.entries.first).id)"
            for (path, query) in [
                (InspectorPath.page, []), (.state, []), (.calls, []), (.call, [(name: "id", value: id)]), (.search, [(name: "text", value: secret)]),
                (.har, []),
                (.settings, [(name: "service", value: "demo")]),
            ] {
                let (status, text) = await answer(routes, path, query)
                #expect(status == 200 && !text.contains(secret), "\(path)")
            }
            #expect(await answer(routes, .search, [(name: "text", value: secret)]).1 == "[]")
            #expect(await answer(routes, .search, [(name: "text", value: "demo.example")]).1 == "[\(id)]")
        }
    }

    @Test func aBodyOfUnknownSizeIsNotLeftOutOfACallThatIsSentAgain() async throws {
        try await withRoutes { client, routes in
            let chunks = AsyncStream<Bytes> { continuation in
                continuation.yield(Bytes(Array("hello".utf8)))
                continuation.finish()
            }
            let body = Body.stream(ByteStream(chunks), contentType: "text/plain")
            _ = try await client.send(raw: try Request(.post, "https://demo.example/a", body: body))
            let (status, text) = await answer(routes, .resend, [], "{\"id\":\(try #require(log.entries.first).id)}")
            #expect(status != 200 && text.contains("whole body") && log.entries.count == 1)
        }
    }

    @Test func callIsSentAgainAsANewCall() async throws {
        try await withRoutes { client, routes in
            let body = Body.bytes(Bytes(Array("{\"name\":\"Ann\"}".utf8)))
            let headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer abcdefgh12345678"]
            _ = try await client.send(raw: try Request(.put, "https://demo.example/a?b=1", headers: headers, body: body))
            let first = try #require(log.entries.first)
            let (status, text) = await answer(routes, .resend, [], "{\"id\":\(first.id)}")
            #expect(status == 200 && text.contains("\"status\":200") && text.contains("\"Authorization\""))
            let second = try #require(log.entries.last)
            #expect(second.id != first.id && second.request?.method == "PUT" && second.request?.url == first.request?.url)
            #expect(second.request?.body?.text == "{\"name\":\"Ann\"}")
        }
    }

    @Test(arguments: [
        ("https://demo.example/a?access_token=abcdefgh", "", "the URL has a secret"),
        ("https://demo.example/a", "{\"password\":\"abcdefgh\"}", "the body has a secret"),
        ("https://demo.example/a", "\"" + String(repeating: "x", count: 5_000) + "\"", "the log does not have the whole body"),
    ])
    func callIsNotSentAgainWithoutWhatTheLogDoesNotHave(url: String, body: String, reason: String) async throws {
        try await withRoutes { client, routes in
            let content = body.isEmpty ? Body.none : .bytes(Bytes(Array(body.utf8)))
            _ = try await client.send(raw: try Request(.post, url, headers: [.contentType: "application/json"], body: content))
            let (status, text) = await answer(routes, .resend, [], "{\"id\":\(try #require(log.entries.first).id)}")
            #expect(status == 409 && text.contains(reason), "\(text)")
            #expect(log.entries.count == 1)
        }
    }

    /// Otherwise it would be a repetition of the first call, or a part of its trace.
    @Test func callThatIsSentAgainHasNoKeyAndNoTraceOfTheFirst() async throws {
        let names = ["Idempotency-Key", "traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId", "x-b3-spanid"]
        try await withRoutes { client, routes in
            var headers: HTTPFields = [.accept: "text/plain"]
            for name in names { headers[try #require(HTTPField.Name(name))] = "abc" }
            _ = try await client.send(raw: try Request(.get, "https://demo.example/a", headers: headers))
            let first = try #require(log.entries.first), sentNames = Set(first.request?.headers.map { $0.name.lowercased() } ?? [])
            #expect(sentNames.isSuperset(of: names.map { $0.lowercased() }))
            #expect(await answer(routes, .resend, [], "{\"id\":\(first.id)}").0 == 200)
            let second = try #require(log.entries.last), again = second.request?.headers.map { $0.name.lowercased() } ?? []
            #expect(second.id != first.id && again.contains("accept"))
            #expect(Set(again).isDisjoint(with: names.map { $0.lowercased() }))
        }
    }

    @Test func callToAHostOfNoServiceIsSentAgainOnceConfirmed() async throws {
        try await withRoutes { client, routes in
            _ = try await client.send(raw: try Request(.get, "https://other.example:8443/a"))
            let id = try #require(log.entries.first).id
            let (status, text) = await answer(routes, .resend, [], "{\"id\":\(id)}")
            #expect(status == 409 && text.contains("\"otherOrigin\"") && text.contains("\"other.example:8443\""), "\(text)")
            #expect(log.entries.count == 1)
            #expect(await answer(routes, .resend, [], "{\"id\":\(id),\"confirmed\":true}").0 == 200)
            #expect(log.entries.count == 2)
        }
    }

    @Test func callThatTakesTooLongIsCancelledWithAReason() async throws {
        try await withRoutes { client, _ in
            _ = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            let entry = try #require(log.entries.first)
            await withClient(transport: .silent, services: [Service("demo", host: "https://demo.example")]) { silent in
                let desk = ClientActions(client: silent, environments: [], longestSend: .zero)
                let refusal = await #expect(throws: Refusal.self) { _ = try await desk.resend(entry, isConfirmed: false) }
                #expect(refusal?.status == 504 && refusal?.code == .tookTooLong)
            }
        }
    }

    @Test func actionsChangeTheLogAndTheClient() async throws {
        try await withRoutes { client, routes in
            _ = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            #expect(await answer(routes, .pause, [], "{\"paused\":true}").1.contains("\"isPaused\":true") && log.isPaused)
            #expect(await answer(routes, .clear).0 == 200 && log.entries.isEmpty)
            #expect(await answer(routes, .environment, [], "{\"name\":\"test\"}").0 == 200 && client.environment == .test)
            #expect(await answer(routes, .environment, [], "{\"name\":\"staging\"}").0 == 409 && client.environment == .test)
            #expect(await answer(routes, .clear, [], "[").0 == 400)
        }
    }

    @Test func fileIsShownAndNotChanged() async throws {
        try await withRoutes { client, _ in
            _ = try await client.send(raw: try Request(.get, "https://demo.example/a"))
            let routes = InspectorRoutes(calls: .file(try HAR(parsing: log.har().bytes).entries), desk: nil, feed: Feed(), listening: .loopback)
            #expect(await answer(routes, .calls).1.contains("demo.example/a"))
            #expect(await answer(routes, .call, [(name: "id", value: "1")]).0 == 200)
            for id in ["0", "2", "-1", "x", "18446744073709551615"] { #expect(await answer(routes, .call, [(name: "id", value: id)]).0 == 404) }
            for path in [InspectorPath.clear, .pause, .resend, .environment, .fault, .host] { #expect(await answer(routes, path, [], "{\"id\":1}").0 == 409) }
            #expect(await answer(routes, .har).1 == String(decoding: log.har().bytes.array, as: UTF8.self))
        }
    }
}
