import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground

/// A queue whose client has logins and environments. The server answers with the token of the request.
private struct LoginRig: Sendable {
    enum Media: Codable, Sendable {
        case photo(String)
        case film(String)
    }

    /// Tokens that are not renewed.
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw TarmacError(.loggedOut) }
    }

    let stub: StubTransport
    let time = ManualTime()
    let client: Client
    let folder: String
    /// The transfers that were tried, in their order.
    let tried = Watched<[String]>([])

    /// - Parameter tokens: The store of the launch before.
    init(_ folder: String, _ tokens: any TokenStore = MemoryTokenStore(), answer: StubRoute.Answer? = nil) {
        self.folder = folder
        stub = StubTransport(answer: answer ?? { .bytes(Bytes(Array(($0.headers[.authorization] ?? "none").utf8))) })
        let hosts: [ServiceEnvironment: Hosts] = [.production: "https://live.example", .staging: "https://staging.example"]
        client = Client(transport: .stub(stub), services: [Service("s", hosts: hosts)], time: time, randomness: SeededGenerator(seed: 3)) {
            $0.authenticator = .init(Logins(), store: tokens)
        }
    }

    func logIn(_ user: String, as principal: String? = nil) async throws {
        try await client.logIn(AccessToken(user, refreshToken: "r", account: "\(user) of the hill"), as: principal)
    }

    func queue() -> TransferQueue<Media> {
        let folder = folder, tried = tried, (conditions, observer) = AsyncStream<TransferConditions>.makeStream()
        observer.yield(.all)
        return TransferQueue(client: client, folder: "\(folder)/queue", atOnce: 1, conditions: conditions) { media in
            switch media {
            case .photo(let name):
                tried.update { $0.append(name) }
                return Upload(.text(name), to: InlineEndpoint<Void>.post("/\(name)", as: Void.self))
            case .film(let name): return Download(.get("/\(name)"), to: "\(folder)/\(name)")
            }
        }
    }

    /// The requests with their credentials and hosts.
    var sent: [String] {
        stub.requests.map { "\($0.url.path.dropFirst()) as \($0.headers[.authorization]?.dropFirst(7) ?? "none") to \($0.url.host.prefix { $0 != "." })" }
    }
}

extension TransferQueue {
    fileprivate var ids: [String] { get async throws { try await entries.map(\.id) } }

    /// Waits until the queue has the folder, which the launch before lets go when its tasks have ended.
    fileprivate func opened() async throws {
        try await eventually {
            do { return try await self.entries.isEmpty || true } catch { return false }
        }
    }
}

/// What one user added never goes as another.
@Suite(.timeLimit(.minutes(5))) struct TransferQueueLoginTests {
    @Test(arguments: [false, true]) func aTransferGoesAsTheUserWhoAddedIt(isRelaunched: Bool) async throws {
        try await withFolder { folder in
            let tokens = MemoryTokenStore()
            var rig = LoginRig(folder, tokens), queue = Optional(rig.queue())
            try await rig.logIn("ann")
            try await queue?.pause()
            try await queue?.add(.photo("photo"), id: "photo")
            try await queue?.add(.film("film"), id: "film")
            try await rig.client.logOut()
            if isRelaunched {
                queue = nil
                await rig.client.shutdown()
                rig = LoginRig(folder, tokens)
                queue = rig.queue()
            }
            let open = try #require(queue)
            try await open.opened()
            try await rig.logIn("bob")
            try await open.add(.photo("bobs"), id: "bobs", priority: .low)
            try await open.resume()
            // It comes after hers, which have been tried by then.
            try await eventually { try await open.ids == ["photo", "film"] }
            #expect(rig.sent == ["bobs as bob to live"])
            #expect(try await open.entries.allSatisfy { $0.state == .waiting })
            #expect(content("\(folder)/film") == nil)
            try await rig.logIn("ann")
            try await eventually { try await open.ids.isEmpty }
            #expect(rig.sent.dropFirst() == ["photo as ann to live", "film as ann to live"])
            #expect(content("\(folder)/film") == Array("Bearer ann".utf8))
        }
    }

    @Test func aTransferWaitsForALogin() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.pause()
            try await queue.add(.photo("anns"), id: "anns")
            try await rig.client.logOut()
            try await queue.add(.photo("anyones"), id: "anyones")
            try await queue.resume()
            // One at a time: the first has ended when the second is tried.
            await eventually { rig.tried.value == ["anns", "anyones"] }
            #expect(try await queue.entries.first?.state == .waiting)
            #expect(rig.sent == [])
            try await rig.logIn("ann")
            try await eventually { try await queue.ids.isEmpty }
            // Hers has a pause behind it, which the log-in ends.
            #expect(rig.sent.sorted() == ["anns as ann to live", "anyones as ann to live"])
        }
    }

    @Test func aTransferWaitsForItsEnvironment() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            rig.client.environment = .staging
            try await rig.logIn("ann")
            try await queue.pause()
            try await queue.add(.photo("test"), id: "test")
            rig.client.environment = .production
            try await rig.logIn("ann")
            try await queue.add(.photo("live"), id: "live", priority: .low)
            try await queue.resume()
            try await eventually { try await queue.ids == ["test"] }
            #expect(rig.sent == ["live as ann to live"])
            rig.client.environment = .staging
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent.last == "test as ann to staging")
        }
    }

    @Test func aTransferGoesAsThePrincipalThatAddedIt() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            try await rig.logIn("ann", as: "first")
            try await rig.logIn("bob", as: "second")
            rig.client.options.principal = "first"
            try await queue.pause()
            try await queue.add(.photo("anns"), id: "anns")
            rig.client.options.principal = "second"
            try await queue.add(.photo("bobs"), id: "bobs")
            try await queue.resume()
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent == ["anns as ann to live", "bobs as bob to live"])
        }
    }

    @Test(arguments: ["off", "bearer", "key"]) func aTransferOfALoginWaitsForItsLogin(kind: String) async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue(), logins = rig.client.options.authenticator
            try await rig.logIn("ann")
            try await queue.pause()
            try await queue.add(.photo("anns"), id: "anns")
            rig.client.options.authenticator = kind == "off" ? .off : kind == "bearer" ? .bearer("bob") : .apiKey("guest", header: "X-Api-Key")
            try await queue.resume()
            await eventually { rig.tried.value == ["anns"] && rig.time.nextDeadline != nil }
            try await eventually { try await queue.entries.map(\.state) == [.waiting] }
            #expect(rig.sent == [])
            rig.client.options.authenticator = logins
            try await rig.logIn("ann")
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent == ["anns as ann to live"])
        }
    }

    @Test(arguments: ["bob", ""]) func aTransferWaitsForThePrincipalOfTheClient(other: String) async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            func enter(_ user: String) { (rig.client.options.authenticator, rig.client.options.principal) = (.bearer(user.isEmpty ? "guest" : user), user) }
            enter("ann")
            try await queue.pause()
            try await queue.add(.photo("anns"), id: "anns")
            enter(other)
            try await queue.resume()
            // The pause after it.
            await eventually { rig.tried.value == ["anns"] && rig.time.nextDeadline.map { $0 <= .seconds(1) } == true }
            #expect(try await queue.entries.map(\.state) == [.waiting])
            #expect(rig.sent == [])
            enter("ann")
            rig.time.advance(by: .seconds(1))
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent == ["anns as ann to live"])
        }
    }

    @Test func anIDBelongsToTheUserWhoAddedIt() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.pause()
            try await queue.add(.photo("photo"), id: "photo")
            try await rig.logIn("bob")
            let error = await #expect(throws: TarmacError.self) { try await queue.add(.photo("photo"), id: "photo") }
            #expect(error?.code == .invalidParameter && error?.reason.contains("hill") == false)
            try await queue.remove("photo")
            try await queue.add(.photo("photo"), id: "photo")
            try await rig.client.logOut()
            // An app that adds all it wants with each launch, before the user logs in.
            try await queue.add(.photo("photo"), id: "photo")
        }
    }

    @Test func aRecordOfAnEarlierVersionGoes() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder)
            do {
                let queue = rig.queue()
                try await rig.logIn("ann")
                try await queue.pause()
                try await queue.add(.photo("photo"), id: "photo")
            }
            let file = try #require(names("\(folder)/queue").first { $0.hasSuffix(".entry") }), place = URL(filePath: "\(folder)/queue/\(file)")
            var record = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: place)) as? [String: Any])
            #expect(record.removeValue(forKey: "owner") != nil)
            try JSONSerialization.data(withJSONObject: record).write(to: place)
            try await rig.logIn("bob")
            let queue = rig.queue()
            try await queue.opened()
            try await queue.resume()
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent == ["photo as bob to live"])
        }
    }

    @Test(arguments: [200, 302, 403, 407, 511]) func aPageOfAPortalIsNoAnswerToAnUpload(status: Int) async throws {
        try await withFolder { folder in
            let isThere = Locked(true)
            let rig = LoginRig(folder) { _ in
                guard isThere.withLock({ $0 }) else { return .status(.ok) }
                let page = Bytes(Array("<html>log in to the hotel</html>".utf8))
                return .bytes(page, contentType: "text/html", status: HTTPResponse.Status(code: status))
            }
            let queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.add(.photo("photo"), id: "photo")
            await eventually { rig.time.nextDeadline != nil && rig.stub.requests.count == 1 }
            try await eventually { try await queue.entries.first?.state == .waiting }
            isThere.withLock { $0 = false }
            rig.time.advance(by: .seconds(1))
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent.count == 2)
        }
    }

    /// Waits until all transfers have landed, whatever pauses are between.
    private func ended(_ queue: TransferQueue<LoginRig.Media>, _ rig: LoginRig) async throws {
        try await eventually {
            rig.time.advance(by: .milliseconds(250))
            return try await queue.ids.isEmpty
        }
    }

    @Test(arguments: [false, true]) func aConflictWithAnEarlierAttemptOfAnUploadPasses(isRelaunched: Bool) async throws {
        try await withFolder { folder in
            let answers = Watched(0), isHung = Watched(isRelaunched), tokens = MemoryTokenStore()
            let answer: StubRoute.Answer = { _ in
                let number = answers.update {
                    $0 += 1
                    return $0
                }
                if number == 1, isRelaunched { try await isHung.wait { !$0 } }
                if number == 1 { throw TarmacError(.connectionLost, phase: .waiting) }
                return .status(number == 2 ? .conflict : .ok)
            }
            var rig = LoginRig(folder, tokens, answer: answer), queue = Optional(rig.queue())
            try await rig.logIn("ann")
            try await queue?.add(.photo("photo"), id: "photo")
            if isRelaunched {
                try await rig.stub.received(count: 1)
                queue = nil
                await rig.client.shutdown()
                rig = LoginRig(folder, tokens, answer: answer)
                queue = rig.queue()
            }
            let open = try #require(queue)
            try await open.opened()
            try await ended(open, rig)
            #expect(answers.value == 3)
        }
    }

    /// The answers to the attempts of an upload, in order.
    private func scripted(_ answers: [Int], hangs: Watched<Bool>, _ count: Watched<Int>) -> StubRoute.Answer {
        { _ in
            let number = count.update {
                $0 += 1
                return $0
            }
            let answer = answers[min(number, answers.count) - 1]
            if answer == 0 { throw TarmacError(.connectionLost, phase: .waiting) }
            if answer == 1 {
                defer { hangs.update { $0 = false } }
                _ = try await hangs.wait { !$0 }
            }
            return .status(HTTPResponse.Status(code: max(answer, 200)))
        }
    }

    @Test func aConflictWithAnUploadThatWasPausedPasses() async throws {
        try await withFolder { folder in
            let hangs = Watched(true), count = Watched(0)
            let rig = LoginRig(folder, answer: scripted([1, 409, 200], hangs: hangs, count)), queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.add(.photo("photo"), id: "photo")
            try await rig.stub.received(count: 1)
            try await queue.pause("photo")
            _ = try await hangs.wait { !$0 }
            try await queue.resume("photo")
            try await ended(queue, rig)
            #expect(count.value == 3)
        }
    }

    @Test func aConflictWithAnUploadOfTheLaunchBeforePasses() async throws {
        try await withFolder { folder in
            let hangs = Watched(false), count = Watched(0), tokens = MemoryTokenStore()
            var rig = LoginRig(folder, tokens, answer: scripted([0, 409, 200], hangs: hangs, count)), queue = Optional(rig.queue())
            try await rig.logIn("ann")
            try await queue?.add(.photo("photo"), id: "photo")
            await eventually { count.value == 1 && rig.time.nextDeadline.map { $0 <= .seconds(2) } == true }
            try await eventually { try await queue?.entries.map(\.state) == [.waiting] }
            queue = nil
            await rig.client.shutdown()
            rig = LoginRig(folder, tokens, answer: scripted([0, 409, 200], hangs: hangs, count))
            let open = rig.queue()
            try await open.opened()
            try await ended(open, rig)
            #expect(count.value == 3)
        }
    }

    /// An app that logs in again by itself after each refusal.
    @Test func loginsInARowEndFewPauses() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder) { _ in .status(.unauthorized) }, queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.add(.photo("photo"), id: "photo")
            for number in 1...4 {
                await eventually { rig.stub.requests.count == number && rig.time.nextDeadline != nil }
                try await eventually { try await queue.entries.map(\.state) == [.waiting] }
                try await rig.logIn("ann")
            }
            // The queue has decided about the fourth login when it has taken the next transfer.
            try await queue.add(.photo("next"), id: "next")
            await eventually { rig.tried.value.contains("next") }
            #expect(rig.tried.value.filter { $0 == "photo" }.count == 4)
        }
    }

    /// The server is overloaded: a login does not change that.
    @Test func aLoginEndsNoPauseOfAFailureThatIsNotALogins() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder) { _ in .status(.serviceUnavailable) }, queue = rig.queue()
            try await rig.logIn("ann")
            try await queue.add(.photo("photo"), id: "photo")
            await eventually { rig.tried.value == ["photo"] && rig.time.nextDeadline != nil }
            try await eventually { try await queue.entries.map(\.state) == [.waiting] }
            try await rig.logIn("ann")
            try await queue.add(.photo("next"), id: "next")
            await eventually { rig.tried.value.contains("next") }
            #expect(rig.tried.value == ["photo", "next"])
        }
    }

    @Test func whatAGuestHasAddedGoesAsTheUserWhoLogsIn() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder), queue = rig.queue()
            try await queue.pause()
            try await queue.add(.photo("guests"), id: "guests")
            rig.client.options.principal = "ann"
            try await rig.logIn("ann")
            try await queue.resume()
            try await eventually { try await queue.ids.isEmpty }
            #expect(rig.sent == ["guests as ann to live"])
        }
    }

    @Test func aQueueWithTheLargestNumberTakesOthersAndKeepsItsOrder() async throws {
        try await withFolder { folder in
            let rig = LoginRig(folder)
            do {
                let queue = rig.queue()
                try await queue.pause()
                for name in ["a", "b"] { try await queue.add(.photo(name), id: name) }
            }
            for file in names("\(folder)/queue") where file.hasSuffix(".entry") {
                let place = URL(filePath: "\(folder)/queue/\(file)")
                var record = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: place)) as? [String: Any])
                if record["id"] as? String == "b" { record["number"] = 1 << 30 }
                try JSONSerialization.data(withJSONObject: record).write(to: place)
            }
            do {
                let queue = rig.queue()
                try await queue.opened()
                try await queue.add(.photo("c"), id: "c")
            }
            let queue = rig.queue()
            try await queue.opened()
            #expect(try await queue.ids == ["a", "b", "c"])
        }
    }
}
