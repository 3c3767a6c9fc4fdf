import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// What one user has enqueued is not sent with credentials that are no login of that user.
@Suite("Outbox: other credentials", .timeLimit(.minutes(5))) struct OutboxCredentialTests {
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw TarmacError(.loggedOut) }
    }

    /// The ways in which a user without a login is known.
    enum Kind: CaseIterable {
        case bearer, key, basic, field, off, appToken

        func configure(_ options: inout Options, _ user: String) {
            switch self {
            case .bearer: options.authenticator = .bearer(user)
            case .key: options.authenticator = .apiKey(user, header: "X-API-Key")
            case .basic: options.authenticator = .basic(user: user, password: "x")
            case .field: options.headers["Authorization"] = user
            case .off: options.authenticator = .off
            case .appToken:
                options.authenticator = .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "app", secret: "s"))
                options.headers["X-User-Token"] = user
            }
        }
    }

    private static func shop(_ configure: @escaping @Sendable (inout Options) -> Void) -> Service {
        Service("shop", hosts: [.production: "https://api.shop.example"], configure: configure)
    }

    private static let loggedIn = shop { $0.authenticator = .init(Logins(), store: nil) }

    private static func shop(of user: String, _ kind: Kind) -> Service {
        shop {
            $0.principal = user
            kind.configure(&$0, user.isEmpty ? "guest" : user)
        }
    }

    /// The requests that are not for a token of the app.
    private func sent(_ rig: OutboxRig) -> [Request] { rig.stub.requests.filter { $0.url.path == "/orders" } }

    @Test(arguments: Kind.allCases, [false, true]) func anEntryOfALoginWaitsForItsLogin(kind: Kind, hasField: Bool) async throws {
        let rig = try OutboxRig(service: Self.loggedIn)
        try await rig.client[rig.shop].logIn(AccessToken("ann-1", account: "ann"))
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let other = Self.shop {
            kind.configure(&$0, "bob")
            if hasField { $0.headers["Authorization"] = "of the app" }
        }
        let later = try OutboxRig([.json(#"{"access_token":"app"}"#)], store: rig.store, service: other, seed: 6), changes = later.outbox.changes
        later.outbox.start()
        guard case .postponed(_, let error)? = await changes.nextPostponed()?.kind else { return #expect(Bool(false)) }
        #expect(error.code == .loggedOut)
        #expect(sent(later).isEmpty)
        await later.outbox.shutdown()
        let last = try OutboxRig(store: rig.store, service: Self.loggedIn, seed: 7)
        try await last.client[last.shop].logIn(AccessToken("ann-2", account: "ann"))
        last.outbox.start()
        last.outbox.connectivityReturned()
        await last.outbox.waitUntilIdle()
        #expect(last.stub.requests.map { $0.headers[.authorization] } == ["Bearer ann-2"])
    }

    @Test(arguments: Kind.allCases) func anEntryWaitsForThePrincipalOfTheService(kind: Kind) async throws {
        let token = OutboxRig.Answer.json(#"{"access_token":"app"}"#)
        let rig = try OutboxRig([token], service: Self.shop(of: "ann", kind))
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let later = try OutboxRig([token], store: rig.store, service: Self.shop(of: "bob", kind), seed: 6)
        let waits = later.outbox.changes
        later.outbox.start()
        #expect(await waits.nextPostponed()?.isOfPrincipal == true)
        await later.outbox.shutdown()
        let out = try OutboxRig([token], store: rig.store, service: Self.shop(of: "", kind), seed: 7), changes = out.outbox.changes
        out.outbox.start()
        out.outbox.connectivityReturned()
        #expect(await changes.nextPostponed()?.isOfPrincipal == true)
        await out.outbox.shutdown()
        #expect(sent(later).isEmpty && sent(out).isEmpty)
        let back = try OutboxRig(kind == .appToken ? [token] : [], store: rig.store, service: Self.shop(of: "ann", kind), seed: 8)
        back.outbox.start()
        back.outbox.connectivityReturned()
        await back.outbox.waitUntilIdle()
        #expect(sent(back).count == 1)
    }

    /// A key of the app is no login.
    @Test(arguments: ["X-API-Key", "X-Client-Secret"]) func aSecretFieldOfTheEndpointNamesNoUser(name: String) async throws {
        let rig = try OutboxRig(service: Self.shop(of: "ann", .bearer))
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let later = try OutboxRig(store: rig.store, service: Self.shop(of: "bob", .bearer), seed: 6)
        let outbox = try Outbox(client: later.client, store: rig.store) { _, options in options.headers[name] = "of the app" }
        let changes = outbox.changes
        outbox.start()
        #expect(await changes.nextPostponed()?.isOfPrincipal == true)
        #expect(sent(later).isEmpty)
        await outbox.shutdown()
    }

    /// An app whose users have one login for several profiles, and one whose users have a login each. Beside a field that names the present
    /// user, the login of the user before is not sent.
    @Test(arguments: [(true, nil), (false, nil), (false, "X-App-Id"), (false, "X-User-Id")] as [(Bool, String?)])
    func anEntryWaitsForItsProfileAndNotForItsUser(isProfile: Bool, field: String?) async throws {
        let service = Self.shop {
            $0.authenticator = .init(Logins(), store: nil)
            if let field { $0.headers[field] = "7" }
        }
        let rig = try OutboxRig(service: service), shop = rig.client[rig.shop], changes = rig.outbox.changes
        for user in ["ann", "bob"] { try await shop.logIn(AccessToken(user, account: isProfile ? "family" : user), as: user) }
        rig.client.options.principal = "ann"
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.client.options.principal = "bob"
        rig.outbox.start()
        if isProfile || field == "X-User-Id" {
            #expect(await changes.nextPostponed()?.isOfPrincipal == true)
            #expect(sent(rig).isEmpty)
            // Time does not pass: the change of the principal ends the pause.
            rig.client.options.principal = "ann"
        }
        await rig.outbox.waitUntilIdle()
        #expect(sent(rig).map { $0.headers[.authorization] } == ["Bearer ann"])
    }

    /// After a relaunch, the login of the client's own principal is only in its store.
    @Test func anEntryOfAUserWithALoginGoesAfterARelaunch() async throws {
        let tokens = MemoryTokenStore(), service = Self.shop { $0.authenticator = .init(Logins(), store: tokens) }
        let rig = try OutboxRig(service: service)
        for user in ["ann", "bob"] { try await rig.client[rig.shop].logIn(AccessToken(user, account: user), as: user) }
        rig.client.options.principal = "ann"
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        await rig.client.shutdown()
        let later = try OutboxRig(store: rig.store, service: service, seed: 6), changes = later.outbox.changes
        later.client.options.principal = "bob"
        later.outbox.start()
        while let change = await changes.next(where: { $0.isPostponed || $0.isFinal }), change.kind.isPostponed {
            #expect(change.isOfPrincipal)
            later.time.advance(by: .seconds(300))
        }
        #expect(sent(later).map { $0.headers[.authorization] } == ["Bearer ann"])
    }

    /// An app may set the principal, and the key of that user a while later.
    @Test func aChangeOfThePrincipalAloneSendsNothing() async throws {
        let service = Self.shop { _ in }, rig = try OutboxRig(service: service), changes = rig.outbox.changes
        func enter(_ user: String) {
            rig.client.options.authenticator = .bearer(user)
            rig.client.options.principal = user
        }
        enter("ann")
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        enter("bob")
        rig.outbox.start()
        #expect(await changes.nextPostponed()?.isOfPrincipal == true)
        rig.client.options.principal = "ann"
        // The outbox has looked again when it has taken the next entry.
        try await rig.outbox.enqueue(CreateOrder(number: 2)) { $0.principal = "server" }
        await eventually { !sent(rig).isEmpty }
        #expect(rig.numbers == [2])
        rig.client.options.authenticator = .bearer("ann")
        rig.outbox.connectivityReturned()
        await eventually { sent(rig).count == 2 }
        #expect(sent(rig).last?.headers[.authorization] == "Bearer ann")
        await rig.outbox.shutdown()
    }

    @Test func whatAGuestHasEnqueuedGoesAsTheUserWhoLogsIn() async throws {
        let rig = try OutboxRig(service: Self.loggedIn), shop = rig.client[rig.shop], changes = rig.outbox.changes
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        #expect(await changes.nextPostponed() != nil)
        rig.client.options.principal = "ann"
        try await shop.logIn(AccessToken("ann", account: "ann"))
        await rig.outbox.waitUntilIdle()
        #expect(sent(rig).map { $0.headers[.authorization] } == ["Bearer ann"])
    }

    /// An app that logs in again by itself after each refusal.
    @Test func loginsInARowEndFewPauses() async throws {
        let rig = try OutboxRig(Array(repeating: .status(401), count: 100), service: Self.loggedIn), shop = rig.client[rig.shop]
        try await shop.logIn(AccessToken("ann", refreshToken: "r", account: "ann"))
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let changes = rig.outbox.changes
        rig.outbox.start()
        for number in 1...4 {
            #expect(await changes.nextPostponed() != nil)
            try await shop.logIn(AccessToken("ann-\(number)", refreshToken: "r", account: "ann"))
        }
        // The fourth login waits until a minute after the first.
        await eventually { rig.time.nextDeadline != nil }
        #expect(sent(rig).count == 4)
        await rig.outbox.shutdown()
    }

    /// A server that acts for many users with one key names them itself.
    @Test(arguments: ["", "server"]) func anEntryWithItsOwnPrincipalIsSent(common: String) async throws {
        let service = Self.shop(of: common, .key), rig = try OutboxRig(service: service)
        try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.principal = "ann" }
        let later = try OutboxRig(store: rig.store, service: service, seed: 6)
        later.outbox.start()
        await later.outbox.waitUntilIdle()
        #expect(later.numbers == [1])
    }

    /// The app gives each entry the credentials that belong to it.
    @Test(arguments: [Kind.bearer, .field]) func anEntryIsSentWithTheCredentialsThatTheOutboxConfigures(kind: Kind) async throws {
        let rig = try OutboxRig(service: Self.shop(of: "ann", .key))
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let later = try OutboxRig(store: rig.store, service: Self.shop(of: "bob", .key), seed: 6)
        let outbox = try Outbox(client: later.client, store: rig.store) { entry, options in kind.configure(&options, entry.lane.principal) }
        outbox.start()
        await outbox.waitUntilIdle()
        #expect(later.stub.requests.map { $0.headers[.authorization] } == [kind == .bearer ? "Bearer ann" : "ann"])
    }
}

extension OutboxChange.Kind {
    fileprivate var isPostponed: Bool { if case .postponed = self { true } else { false } }
}

extension OutboxChange {
    fileprivate var isOfPrincipal: Bool {
        if case .postponed(_, let error) = kind { error.code == .principalLeft } else { false }
    }
}
