#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacOutbox
import TarmacResumableUpload
import TarmacStreams
import TarmacTraffic

/// Each loop of the client has a count, a pause and an end. Here each one meets a server whose answers bring nothing new.
@Suite("Loops", .timeLimit(.minutes(5)))
struct LoopTests {
    /// A loop of the client.
    struct Loop: Sendable, CustomTestStringConvertible {
        let name: String
        /// What ends it.
        let end: String
        /// The largest number of requests of one call.
        let limit: Int
        let answer: @Sendable (Request, Int) throws -> Response
        var configure: @Sendable (inout Options) -> Void = { _ in }
        var run: @Sendable (Client) async throws -> Void = { try await $0.get("/a") }
        var testDescription: String { name }
    }

    private static func tokens(_ expiresIn: String) -> String { #"{"access_token":"x","refresh_token":"r","expires_in":\#(expiresIn)}"# }
    private static let expired = AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1))
    private static let oauth: @Sendable (inout Options) -> Void = {
        $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "a"), rule: RefreshRule { $0.backOff = .zero })
    }
    private static let logged: @Sendable (Client) async throws -> Void = {
        try await $0.logIn(expired)
        try await $0.get("/a")
    }

    private static let auth = [
        Loop(
            name: "refresh: the new token has expired", end: "it is used until it is refused", limit: 2,
            answer: { request, _ in request.url.path == "/token" ? .json(tokens("0")) : .status(.ok) }, configure: oauth, run: logged),
        Loop(
            name: "refresh: the new token is refused", end: "two refreshes of one call, then RefreshRule.coolDown", limit: 4,
            answer: { request, _ in request.url.path == "/token" ? .json(tokens("3600")) : .status(.unauthorized) }, configure: oauth, run: logged),
        Loop(
            name: "refresh: no answer", end: "RefreshRule.maximumAttempts", limit: 4,
            answer: { request, _ in
                if request.url.path == "/token" { throw TarmacError(.connectionLost, phase: .waiting) }
                return .status(.ok)
            }, configure: oauth, run: logged),
        Loop(
            name: "challenge: the nonce is always stale", end: "three answers to one call", limit: 4,
            answer: { _, number in
                .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="r", qop=auth, algorithm=SHA-256, nonce="n\#(number)", stale=true"#])
            }, configure: { $0.authenticator = .digest(user: "u", password: "p", hash: DigestTests.hash) }),
        Loop(
            name: "challenge: each time another realm", end: "three answers to one call", limit: 4,
            answer: { _, number in
                .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="\#(number)", qop=auth, algorithm=SHA-256, nonce="n""#])
            }, configure: { $0.authenticator = .digest(user: "u", password: "p", hash: DigestTests.hash) }),
    ]

    private static let attempts = [
        Loop(
            name: "redirect: to itself", end: "RedirectRule", limit: 21, answer: { request, _ in .status(.found, headers: [.location: request.url.path]) }),
        Loop(
            name: "redirect: to a new page each time", end: "RedirectRule", limit: 21,
            answer: { _, number in .status(.found, headers: [.location: "/\(number)"]) }),
        Loop(
            name: "retry", end: "RetryRule.maxAttempts", limit: 100, answer: { _, _ in .status(.serviceUnavailable, headers: [.retryAfter: "0"]) },
            configure: { $0.retry = .exponential(maxAttempts: 100, base: .zero) { $0.budget = .unlimited } }),
        Loop(
            name: "hedge", end: "HedgeRule.atMost", limit: 3, answer: { _, _ in .status(.serviceUnavailable) },
            configure: { $0.hedge = .after(.zero, atMost: 2) { $0.budget = .unlimited } }),
        Loop(
            name: "failover: no host is reached", end: "each host once", limit: 3,
            answer: { _, _ in throw TarmacError(.connectionRefused, phase: .connecting) },
            configure: { ($0.host, $0.failover) = (.cdn, .through([HostKind("eu"), .origin])) }),
    ]

    private static let sequences = [
        Loop(
            name: "pages: the link leads to the same page", end: ".pageLoop", limit: 2,
            answer: { _, _ in .json("[]", headers: [HTTPField.Name("Link")!: "</a>; rel=next"]) },
            run: { for try await _ in $0.pages(of: .get("/a", as: [Int].self)) {} }),
        Loop(
            name: "pages: a new link each time", end: "limit of pages", limit: 25,
            answer: { _, number in .json("[]", headers: [HTTPField.Name("Link")!: "</\(number)>; rel=next"]) },
            run: { for try await _ in $0.pages(of: .get("/a", as: [Int].self), limit: 25) {} }),
    ]

    /// The number of requests that may bring next to nothing: 50 without a pause, 50 with pauses that double, and the
    /// one that fails.
    private static let meagre = 101

    private static func part(_ request: Request, total: String, length: Int? = nil) -> Response {
        let start = request.headers[.range].flatMap { Int($0.dropFirst(6).prefix { $0 != "-" }) } ?? 0
        return .bytes(
            Bytes("x"), status: .partialContent,
            headers: [.contentRange: "bytes \(start)-\(start + (length ?? 1) - 1)/\(total)", .eTag: #""1""#])
    }

    private static func uploads(_ request: Request, _ answer: (Int) -> Response) -> Response {
        if request.method == .post { return .status(.created, headers: [.location: "/1"]) }
        return answer(request.headers[HTTPField.Name("Upload-Offset")!].flatMap { Int($0) } ?? 0)
    }

    private static func offset(_ offset: Int, status: HTTPResponse.Status = .noContent) -> Response {
        .status(status, headers: [HTTPField.Name("Upload-Offset")!: "\(offset)", HTTPField.Name("Upload-Complete")!: "?0"])
    }

    private static let impatient = ResumeRule.automatic { $0.base = .zero }
    private static func downloads(_ ranges: Int, minimum: Int64 = 4 << 20) -> @Sendable (inout Options) -> Void {
        { options in
            options.resume = impatient
            options.download = DownloadRule { ($0.parallelRanges, $0.minimumRange, $0.checksFreeSpace) = (ranges, minimum, false) }
        }
    }
    private static let download: @Sendable (Client) async throws -> Void = { client in
        try await withFolder { _ = try await client.send(Download(.get("/a"), to: "\($0)/f")) }
    }
    private static func upload(by settings: UploadProtocol) -> @Sendable (Client) async throws -> Void {
        { _ = try await $0.send(Upload(.data(Data(noise(50_000)), name: "f"), to: .post("/files"), by: settings)) }
    }
    private static let resuming: @Sendable (inout Options) -> Void = { $0.resume = impatient }

    private static let transfers = [
        Loop(
            name: "partial answers: a byte each, of a file without a length", end: "requests for the bytes that came", limit: meagre + 1,
            answer: { request, _ in part(request, total: "*") }, configure: downloads(2), run: download),
        Loop(
            name: "partial answers: a byte each, of a large file", end: "requests for the bytes that came", limit: meagre + 1,
            answer: { request, _ in part(request, total: "1000000") }, configure: downloads(2), run: download),
        Loop(
            name: "partial answers: a byte each, side by side", end: "requests for the bytes that came", limit: 2 * meagre + 1,
            answer: { request, _ in part(request, total: "1000000") }, configure: downloads(2, minimum: 1), run: download),
        Loop(
            name: "partial answers: each breaks off after a byte", end: "requests for the bytes that came", limit: meagre + 1,
            answer: { request, _ in part(request, total: "1000000", length: 1000) }, configure: downloads(2), run: download),
        Loop(
            name: "partial answers: each breaks off after a byte, side by side", end: "requests for the bytes that came", limit: 2 * meagre + 1,
            answer: { request, number in part(request, total: "1000000", length: number == 1 ? 1 : 1000) }, configure: downloads(2, minimum: 1), run: download),
        Loop(
            name: "partial answers: none that was asked for", end: "the whole is asked for", limit: 3,
            answer: { _, number in .bytes(Bytes("x"), status: .partialContent, headers: [.contentRange: "bytes \(number)-\(number)/9", .eTag: #""1""#]) },
            configure: downloads(2), run: download),
        Loop(
            name: "upload: a byte is taken of each request", end: "requests for the bytes that went", limit: meagre + 1,
            answer: { request, _ in uploads(request) { offset($0 + 1) } }, configure: resuming, run: upload(by: .tus)),
        Loop(
            name: "upload: a byte for each request is allowed", end: "requests for the bytes that went", limit: meagre + 1,
            answer: { request, _ in
                uploads(request) { start in
                    var response = offset(start + 1)
                    response.headers[HTTPField.Name("Upload-Limit")!] = "max-append-size=1"
                    return response
                }
            }, configure: resuming, run: upload(by: .ietf)),
        Loop(
            name: "upload: another offset each time", end: "requests for the bytes that went", limit: 2 * meagre + 1,
            answer: { request, number in
                uploads(request) { _ in request.method == .head ? offset(number) : offset(number, status: .conflict) }
            }, configure: resuming, run: upload(by: .tus)),
        Loop(
            name: "upload: forgotten each time", end: "two uploads", limit: 4,
            answer: { request, _ in uploads(request) { _ in .status(.notFound) } }, configure: resuming, run: upload(by: .tus)),
    ]

    @Test(arguments: auth + attempts + sequences + transfers)
    func anAnswerThatBringsNothingNewEndsIt(loop: Loop) async throws {
        let count = Watched(0)
        let stub = StubTransport { request in
            let number = count.update {
                $0 += 1
                return $0
            }
            // Ends the test, not the loop.
            if number > 300 { throw TarmacError(.unsupported) }
            return try loop.answer(request, number)
        }
        var hosts = Hosts("https://s.example", cdn: "https://cdn.example")
        hosts[HostKind("eu")] = "https://eu.example"
        let client = Client(transport: .stub(stub), services: [Service("s", host: hosts)]) { loop.configure(&$0) }
        try? await loop.run(client)
        #expect(count.value <= loop.limit, "\(loop.end)")
        await client.shutdown()
    }

    /// Each attempt of an entry waits for its pause, and the attempts have an end.
    @Test func anOutboxWhoseServerNeverAcceptsPausesAndEnds() async throws {
        let rig = try OutboxRig(Array(repeating: .status(503, [.retryAfter: "0"]), count: 200))
        let changes = rig.outbox.changes
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        for attempt in 1...25 {
            let change = await changes.next { if case .postponed = $0 { true } else { $0.isFinal } }
            for _ in 0..<50 { await Task.yield() }
            #expect(rig.stub.requests.count == attempt)
            guard attempt < 25 else { break }
            guard case .postponed? = change?.kind else { return #expect(Bool(false), "it ended after \(attempt)") }
            rig.time.advance(by: .seconds(300))
            // The worker may not have begun its pause.
            await eventually {
                rig.outbox.wake()
                return rig.stub.requests.count > attempt
            }
        }
        guard case .buried(let failure) = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it goes on") }
        #expect(failure.kind == .attemptsUsedUp)
        rig.time.advance(by: .seconds(86_400))
        for _ in 0..<50 { await Task.yield() }
        #expect(rig.stub.requests.count == 25)
    }

    /// An event stream has no end by itself. Without the passing of time it makes no second connection.
    @Test func anEventStreamThatEndsAtOncePausesBeforeEachConnection() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in .text("", headers: [.contentType: "text/event-stream"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time)
        let reading = Task { for try await _ in client.events(InlineEndpoint<Void>.get("/e")) {} }
        try await stub.received(count: 1)
        for connection in 2...4 {
            try await time.hasSleepers()
            for _ in 0..<50 { await Task.yield() }
            #expect(stub.requests.count == connection - 1)
            // What sleeps may be the limit of a request and not yet the pause.
            await eventually {
                if stub.requests.count < connection, time.sleepers > 0 { time.advance(by: .seconds(5)) }
                return stub.requests.count >= connection
            }
        }
        reading.cancel()
        _ = await reading.result
    }
}
