import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacBackground
@testable import TarmacTransfer

/// What the background session on Apple platforms decides by; the session itself is not there to be tested.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTests {
    private static let key = String(repeating: "a", count: 64), other = String(repeating: "b", count: 64)

    private func request(_ key: String? = key, range: String? = nil) throws -> Request {
        var request = Request(.get, try HTTPURL("https://host.test/f"))
        request.transferKey = key
        if let range { request.headers[.range] = range }
        return request
    }

    private func label(_ key: String = key, range: String? = nil) throws -> BackgroundLabel { try #require(BackgroundLabel(try request(key, range: range))) }

    @Test func aTaskIsFoundAgainByItsDescription() throws {
        for range in [nil, "bytes=0-", "bytes=3000-4999"] {
            let label = try label(range: range)
            #expect(BackgroundLabel(description: label.description) == label)
        }
        #expect(try label(range: "bytes=1-") != label(range: "bytes=2-"))
        let parallel = try [label(), label(range: "bytes=1-"), label(Self.other)].map(\.fileName)
        #expect(Set(parallel).count == 3)
        for text in [nil, "", "tarmac-1", "tarmac-1 abc ", "tarmac-2 \(Self.key) ", "\(Self.key) bytes=0-", "tarmac-1 \(String(repeating: "z", count: 64)) "] {
            #expect(BackgroundLabel(description: text) == nil)
        }
    }

    @Test func onlyTransfersThatTheNextLaunchFindsGoThere() throws {
        #expect(BackgroundPolicy.refusal(try request(), .streamed) == nil)
        #expect(BackgroundPolicy.refusal(try request(nil), .streamed)?.suggestion == "set transferLedger")
        #expect(BackgroundPolicy.refusal(try request(), .collected(limit: 1))?.code == .unsupported)
        var post = try request()
        post.method = .post
        #expect(BackgroundPolicy.refusal(post, .streamed)?.code == .unsupported)
        #expect(BackgroundPolicy.refusal(post, .collected(limit: 1)) == nil)
        post.transferKey = nil
        #expect(BackgroundPolicy.refusal(post, .collected(limit: 1))?.suggestion == "set idempotencyKey to a value, or transferKey")
        #expect(BackgroundLabel(post) == nil)
    }

    @Test func aRelaunchKeepsWhatIsWantedAndEndsTheRest() throws {
        let mine = try label().description, part = try label(range: "bytes=5-").description, forgotten = try label(Self.other).description
        let table: [(String?, BackgroundPolicy.TaskState, BackgroundPolicy.Fate)] = [
            (mine, .running, .leave), (part, .suspended, .resume), (mine, .running, .cancel), (mine, .suspended, .cancel), (forgotten, .running, .cancel),
            (forgotten, .completed, .leave), (mine, .canceling, .leave), ("somebody else's", .suspended, .leave), (nil, .running, .leave),
        ]
        let tasks = table.map { BackgroundPolicy.SeenTask(description: $0.0, state: $0.1) }
        #expect(BackgroundPolicy().fates(of: tasks, known: [Self.key]) == table.map(\.2))
    }

    @Test func aCallTakesWhatHasComeThenWhatIsUnderWayThenWhatWasInterrupted() throws {
        let policy = BackgroundPolicy(), label = try label(), rest = Data("rest".utf8)
        let tasks = [BackgroundPolicy.SeenTask(description: nil, state: .running), .init(description: label.description, state: .suspended)]
        let ended = [BackgroundPolicy.SeenTask(description: label.description, state: .completed)]
        #expect(policy.start(label, tasks: tasks, hasCome: true, resumeData: rest) == .take)
        #expect(policy.start(label, tasks: tasks, hasCome: false, resumeData: rest) == .adopt(1))
        #expect(policy.start(label, tasks: ended, hasCome: false, resumeData: rest) == .goOn(with: rest))
        #expect(policy.start(label, tasks: ended, hasCome: false, resumeData: Data()) == .begin)
        #expect(policy.start(label, tasks: [], hasCome: false, resumeData: nil) == .begin)
    }

    @Test func aTaskGoesOnWithItsDataAFewTimesAndOnlyWhereThatMayHelp() {
        let policy = BackgroundPolicy(), rest = Data("rest".utf8), lost = TarmacError(.connectionLost)
        #expect(policy.end(lost, resumeData: rest, interruptions: 0) == .goOn(with: rest))
        #expect(policy.end(lost, resumeData: rest, interruptions: 5) == .fail(keeping: rest))
        #expect(policy.end(lost, resumeData: nil, interruptions: 0) == .fail(keeping: nil))
        #expect(policy.end(lost, resumeData: Data(), interruptions: 0) == .fail(keeping: nil))
        #expect(policy.end(TarmacError(.untrustedCertificate), resumeData: rest, interruptions: 0) == .fail(keeping: rest))
    }

    @Test func whatHasComeIsKeptUntilItWasRead() async throws {
        let bytes = noise(700_000), label = try label(range: "bytes=5-")
        try await withFolder { folder in
            let shelf = try BackgroundResultStore(folder: "\(folder)/shelf")
            #expect(!shelf.has(label))
            try Data(bytes).write(to: URL(filePath: "\(folder)/body"))
            try shelf.put(label, status: .partialContent, headers: [.eTag: "\"1\""], isDecoded: false, body: "\(folder)/body")
            // Another process, after a relaunch.
            let again = try BackgroundResultStore(folder: "\(folder)/shelf")
            #expect(again.has(label))
            #expect(!again.has(try self.label()))
            let response = try #require(try again.response(label, to: try request()))
            #expect(response.status == .partialContent)
            #expect(response.headers == [.eTag: "\"1\""])
            guard case .stream(let stream) = response.body else { return #expect(Bool(false), "not a stream") }
            #expect(try await stream.collect(upTo: .max).array == bytes)
            #expect(names("\(folder)/shelf") == [])
        }
    }

    @Test func aRedirectMayEndInTheServiceAlone() throws {
        let request = try request().of(transfer: Self.key, within: { $0.host == "cdn.test" })
        let table: [(end: String?, url: String?)] = [
            (nil, "https://host.test/f"), ("https://host.test/f", "https://host.test/f"), ("https://host.test/g?a=1", "https://host.test/g?a=1"),
            ("https://cdn.test/f", "https://cdn.test/f"), ("https://evil.test/f", nil), ("https://host.test:8443/f", nil),
            ("http://cdn.test/f", nil), ("http://host.test/f", nil), ("ftp://host.test/f", nil), ("", nil),
        ]
        for (end, url) in table {
            do {
                let found = try BackgroundPolicy.end(of: request, at: end)
                #expect(found.string == url, "\(end ?? "none")")
            } catch {
                #expect(error.code == .redirectRefused && url == nil, "\(end ?? "none")")
                #expect(!"\(error)".contains("evil"))
            }
        }
    }

    @Test func aSecretPathStaysHiddenAfterARedirect() throws {
        var request = try request()
        request.url = request.url.showing(path: HTTPURL.hiddenPath)
        #expect(try BackgroundPolicy.end(of: request, at: "https://host.test/secret").hidesPath)
        #expect(try BackgroundPolicy.end(of: request, at: nil).hidesPath)
    }

    @Test func aResponseOfAForeignOriginIsRefusedAndRemoved() async throws {
        let label = try label(range: "bytes=5-")
        try await withFolder { folder in
            let store = try BackgroundResultStore(folder: "\(folder)/store")
            func put(_ url: String?) throws {
                try Data("x".utf8).write(to: URL(filePath: "\(folder)/body"))
                try store.put(label, status: .ok, headers: [:], isDecoded: false, from: url, body: "\(folder)/body")
            }
            try put("https://host.test/g")
            #expect(try store.landed(label, try request()).url.string == "https://host.test/g")
            try put("https://evil.test/f")
            let error = #expect(throws: TarmacError.self) { try store.landed(label, try request()) }
            #expect(error?.code == .redirectRefused)
            #expect(names("\(folder)/store") == [])
        }
    }

    @Test func theOriginsOfTheServiceGoWithTheRequestOfATransfer() async throws {
        let file = StubFile(noise(500)), ledger = TransferLedger(MemoryTransferStore()), seen = Locked<[Request]>([])
        let stub = StubTransport(capabilities: .background) { request in
            seen.withLock { $0.append(request) }
            return request.method == .get ? file.answer(request) : .status(.ok)
        }
        let service = Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example"))
        let client = Client(transport: .stub(stub), services: [service]) { $0.transferLedger = ledger }
        try await withFolder { folder in
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            try await client.send(Upload(.text("a"), to: .post("/f"))) { $0.idempotencyKey = .value("7") }
        }
        let requests = seen.withLock { $0 }
        #expect(requests.map(\.method) == [.get, .post])
        for request in requests {
            #expect(request.mayEnd(at: try HTTPURL("https://cdn.example/x").origin) && request.mayEnd(at: request.url.origin))
            #expect(!request.mayEnd(at: try HTTPURL("https://evil.example/x").origin))
        }
    }

    @Test func theSessionOpensWithItsClient() async throws {
        for opens in [false, true] {
            let made = Locked<[ConnectionSettings]>([])
            var factory = TransportFactory(name: "background") { settings in
                made.withLock { $0.append(settings) }
                return StubTransport { _ in .status(.ok) }
            }
            factory.opensWithClient = opens
            let pinned = ConnectionSettings { $0.insecurelySkipsHostName = true }
            let client = Client(transport: factory, services: [Service("a", host: "https://a.example", connection: pinned)])
            #expect(made.withLock { $0 } == (opens ? [pinned] : []))
            try await client.send(.get("/f"))
            #expect(made.withLock { $0 } == [pinned], "once")
            let bare = Client(transport: factory)
            #expect(made.withLock { $0.count } == (opens ? 2 : 1))
            await client.shutdown()
            await bare.shutdown()
        }
    }

    @Test func aBodyWithoutAHeadIsNoneAndWhatIsForgottenIsSwept() async throws {
        try await withFolder { folder in
            let shelf = try BackgroundResultStore(folder: folder), mine = try label(), forgotten = try label(Self.other)
            for label in [mine, forgotten] {
                try Data("x".utf8).write(to: URL(filePath: "\(folder)/body"))
                try shelf.put(label, status: .ok, headers: [:], isDecoded: false, body: "\(folder)/body")
            }
            shelf.keep(Data("rest".utf8), for: mine)
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/not-ours"))
            shelf.sweep(known: [Self.key])
            #expect(shelf.has(mine))
            #expect(!shelf.has(forgotten))
            #expect(names(folder).contains("not-ours"))
            #expect(shelf.takeResumeData(mine) == Data("rest".utf8))
            #expect(shelf.takeResumeData(mine) == nil)
            try FileManager.default.removeItem(atPath: "\(folder)/\(mine.fileName).head")
            #expect(!shelf.has(mine))
        }
    }

    @Test func theLedgerKnowsOfADownloadBeforeAnythingHasComeAndAfterItsCancellation() async throws {
        let file = StubFile(noise(5000)), ledger = TransferLedger(MemoryTransferStore())
        let stub = StubTransport(capabilities: TransportCapabilities.everything.union(.outlivesProcess)) { file.answer($0) }
        stub.hold()
        try await withFolder { folder in
            let client = Client(stub) { $0.transferLedger = ledger }
            let call = Task { try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
            try await stub.received(count: 1)
            let during = try await ledger.unfinished()
            #expect(during.map(\.name) == ["f"])
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            let after = try await ledger.unfinished()
            #expect(after == during)
            #expect(names(folder) == [])
            stub.release()
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            let left = try await ledger.unfinished()
            #expect(left == [])
        }
    }

    @Test func everyRequestOfADownloadSaysWhichOneItBelongsTo() async throws {
        let file = StubFile(noise(5000)), ledger = TransferLedger(MemoryTransferStore())
        file.breakOff(after: [3000])
        let labels = Locked<[BackgroundLabel?]>([])
        let stub = StubTransport { request in
            labels.withLock { $0.append(BackgroundLabel(request)) }
            return file.answer(request)
        }
        try await withFolder { folder in
            try await Client(stub) { $0.transferLedger = ledger }.send(Download(.get("/f"), to: "\(folder)/f"))
            let seen = labels.withLock { $0 }
            #expect(seen.map { $0?.range } == ["", "bytes=3000-"])
            #expect(Set(seen.map { $0?.key }).count == 1)
            try await Client(stub).send(Download(.get("/f"), to: "\(folder)/g"))
            #expect(labels.withLock { $0.last } == .some(nil))
        }
    }
}
