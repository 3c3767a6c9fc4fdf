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
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// Law 7: what one login has enqueued is never sent with the credentials of another.
@Suite(.timeLimit(.minutes(5))) struct OutboxLoginTests {
    /// Tokens that are not renewed.
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    /// Bytes turned around, which is enough to see what is in them and what is not.
    private struct Mirrored: Sealer {
        func seal(_ bytes: Bytes, context: Bytes) -> Bytes { Bytes(bytes.array.map { ~$0 }) }
        func open(_ sealed: Bytes, context: Bytes) -> Bytes { Bytes(sealed.array.map { ~$0 }) }
    }

    private func service(_ tokens: (any TokenStore)? = nil, configure: @escaping @Sendable (inout Options) -> Void = { _ in }) -> Service {
        Service("shop", hosts: [.production: "https://api.shop.example"]) {
            $0.authenticator = .init(Logins(), store: tokens)
            configure(&$0)
        }
    }

    private func logIn(_ rig: OutboxRig, _ token: String, account: String? = nil) async throws {
        try await rig.client[rig.shop].logIn(AccessToken(token, account: account))
    }

    private func tokens(_ rig: OutboxRig) -> [String] { rig.stub.requests.compactMap { $0.headers[.authorization] } }

    @Test func entryOfOneLoginIsNotSentUnderAnotherAndHoldsNobody() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "ann-1", account: "ann")
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 1), CreateOrder(number: 2)])
        try await rig.client[rig.shop].logOut()
        try await logIn(rig, "bob-1", account: "bob")
        try await rig.outbox.enqueue(CreateOrder(number: 3))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [3])
        #expect(tokens(rig) == ["Bearer bob-1"])
        let letters = try await rig.outbox.entries(.deadLetters)
        #expect(letters.map(\.mutation?.account) == ["ann", "ann"])
        #expect(letters.map(\.failure?.kind) == [.otherLogin, .otherLogin])
        #expect(letters.first?.failure?.code == "otherLogin")
        // Who re-sends all there is gives nothing of hers away.
        try await rig.outbox.resend()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [3])
        #expect(try await rig.outbox.entries(.deadLetters).count == 2)
        // Once she is back, it goes as it stood.
        try await logIn(rig, "ann-2", account: "ann")
        try await rig.outbox.resend()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [3, 1, 2])
        #expect(tokens(rig).suffix(2) == ["Bearer ann-2", "Bearer ann-2"])
        #expect(try await rig.stored().isEmpty)
    }

    @Test func entryWaitsUntilItsAccountIsLoggedInAgain() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "ann-1", account: "ann")
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.client[rig.shop].logOut()
        rig.outbox.start()
        guard case .postponed(_, let error)? = await changes.nextPostponed()?.kind else { return #expect(Bool(false)) }
        #expect(error.code == .loggedOut)
        // Time stands still: nothing but the log-in can end the pause.
        try await logIn(rig, "ann-2", account: "ann")
        await rig.outbox.waitUntilIdle()
        #expect(tokens(rig) == ["Bearer ann-2"])
    }

    @Test func loginsWithoutAnAccountAreTakenForDifferentPeople() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "first")
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await logIn(rig, "second")
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.isEmpty)
        // The app that knows better says so, entry by entry.
        try await rig.outbox.edit(id) { $0.account = nil }
        try await rig.outbox.resend(OutboxFilter(ids: [id]))
        await rig.outbox.waitUntilIdle()
        #expect(tokens(rig) == ["Bearer second"])
    }

    @Test func entryOfNobodyGoesWithWhoeverLogsIn() async throws {
        let rig = try OutboxRig(service: service())
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(try await rig.stored().first?.mutation?.account == nil)
        try await logIn(rig, "ann-1", account: "ann")
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(tokens(rig) == ["Bearer ann-1"])
    }

    @Test func credentialsThatAreNoLoginBindNothing() async throws {
        let first = Service("shop", hosts: [.production: "https://api.shop.example"]) { $0.authenticator = .apiKey("old", header: "X-API-Key") }
        let rig = try OutboxRig(service: first)
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let later = try OutboxRig(
            store: rig.store,
            service: Service("shop", hosts: [.production: "https://api.shop.example"]) { $0.authenticator = .apiKey("new", header: "X-API-Key") })
        later.outbox.start()
        await later.outbox.waitUntilIdle()
        #expect(later.numbers == [1])
    }

    /// Between the take-off of an attempt and the wire the login may change: whoever asks at the take-off asks too early.
    @Test func loginThatChangesOnTheWayIsNoticedAtTheWire() async throws {
        struct Switch: Interceptor {
            let logIn: Locked<(@Sendable () async throws -> Void)?>
            func intercept(_ request: Request, chain: Chain) async throws -> Response {
                try await logIn.withLock { $0 }?()
                return try await chain.proceed(request)
            }
        }
        let change = Switch(logIn: Locked(nil))
        let rig = try OutboxRig(service: service { $0.attemptInterceptors = [change] })
        try await logIn(rig, "ann-1", account: "ann")
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let shop = rig.client[rig.shop]
        change.logIn.withLock { $0 = { try await shop.logIn(AccessToken("bob-1", account: "bob")) } }
        let changes = rig.outbox.changes
        rig.outbox.start()
        // The attempt belongs to the login under which it began, and ends with it. The next one begins under the other.
        _ = await changes.next { if case .postponed = $0 { true } else { $0.isFinal } }
        rig.time.advance(by: .seconds(3600))
        try await eventually(trying: {
            rig.outbox.wake()
            return try await rig.outbox.entries(.deadLetters).first?.failure?.kind == .otherLogin
        })
        #expect(rig.stub.requests.isEmpty)
    }

    /// Swift takes the two names for equal text. They are two accounts.
    @Test func accountsAreToldApartByTheirBytes() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "one", account: "\u{E9}")
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await logIn(rig, "other", account: "e\u{301}")
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.isEmpty)
        #expect(try await rig.outbox.entries(.deadLetters).first?.failure?.kind == .otherLogin)
    }

    /// What an app makes of errors decides nothing: the login, the shutdown and the server's pause are still seen.
    @Test func errorsThatAreMappedAreDecidedAsTheyWere() async throws {
        let code = TarmacError.Code("shop", .application, .unsent, .lasting)
        let mapping: @Sendable (inout Options) -> Void = { $0.mapError = [{ _ in TarmacError(code, "something went wrong") }] }
        let rig = try OutboxRig([.status(503, [.retryAfter: "77"])], service: service(configure: mapping))
        try await logIn(rig, "ann-1", account: "ann")
        let anns = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await logIn(rig, "bob-1", account: "bob")
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        let changes = rig.outbox.changes
        rig.outbox.start()
        #expect(await changes.nextBuried()?.kind == .otherLogin)
        guard case .postponed(let date, let error)? = await changes.nextPostponed()?.kind else { return #expect(Bool(false)) }
        #expect(date >= rig.time.date + 77 && error.code == code)
        await rig.client.shutdown()
        rig.time.advance(by: .seconds(500))
        let stopped = await changes.next { if case .stopped = $0 { true } else { false } }
        #expect(stopped != nil)
        let left = try await rig.stored()
        #expect(left.map(\.state) == [.dead, .waiting] && left.first?.id == anns)
    }

    // MARK: What is stored of it

    @Test(arguments: [false, true])
    func accountIsKnownAfterARestartAlsoWhereItIsSealed(isSealed: Bool) async throws {
        let tokens = MemoryTokenStore(), store = MemoryOutboxStore()
        let sealer: Mirrored? = isSealed ? Mirrored() : nil
        let first = try OutboxRig(store: store, service: service(tokens), sealer: sealer)
        try await logIn(first, "ann-1", account: "ann of the hill")
        await first.client.shutdown()
        // Whose it is must be read from the token store first.
        let rig = try OutboxRig(store: store, service: service(tokens), sealer: sealer)
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let record = try #require(store.records(.all, limit: 1).first)
        #expect(String(decoding: record.payload.array, as: UTF8.self).contains("ann of the hill") == !isSealed)
        #expect(try await rig.stored().first?.mutation?.account == "ann of the hill")
        let later = try OutboxRig(store: store, service: service(tokens), sealer: sealer)
        try await logIn(later, "bob-1", account: "bob")
        later.outbox.start()
        await later.outbox.waitUntilIdle()
        #expect(later.stub.requests.isEmpty)
    }

    @Test func accountIsNotShown() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "ann-1", account: "hush")
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let entry = try #require(try await rig.stored().first)
        var dumped = "\(entry) \(String(reflecting: entry)) \(String(describing: entry.mutation))"
        dump(entry, to: &dumped)
        #expect(!dumped.contains("hush"))
    }

    @Test func entryOfAnEarlierVersionIsReadAndSent() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "ann-1", account: "ann")
        let head = """
            {"e":"CreateOrder","g":[],"k":"old key","m":"POST","t":"/orders","h":"origin","f":[],"c":"application/json","s":[],"b":false,"p":false}
            """
        let payload = Bytes([1, 0, 0, 0, UInt8(head.utf8.count)] + Array(head.utf8) + Array(#"{"number":7}"#.utf8))
        let lane = OutboxLane(service: "shop", environment: "production", name: "main")
        _ = try await rig.store.append(
            [
                OutboxRecord(
                    id: OutboxEntry.ID(rawValue: "old"), lane: lane, fingerprint: "old", payload: payload, isSealed: false, created: rig.time.date)
            ], limit: 10)
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [7])
        #expect(rig.keys == ["old key"])
    }

    @Test func keyOfOneAccountIsNotThatOfAnother() async throws {
        let rig = try OutboxRig(service: service())
        try await logIn(rig, "ann-1", account: "ann")
        let anns = try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "today"))
        try await logIn(rig, "bob-1", account: "bob")
        let bobs = try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "today"))
        #expect(anns != bobs)
        #expect(try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "today")) == bobs)
        // Given to nobody, it would be a third; given to him, the second time under his key.
        await #expect(throws: TarmacError.self) { try await rig.outbox.edit(anns) { $0.account = "bob" } }
    }
}
