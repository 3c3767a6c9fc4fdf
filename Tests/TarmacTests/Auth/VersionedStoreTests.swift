import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Another process writes between a look at an entry and the write that depends on it. The store has no lock, and versions, as the Keychain.
@Suite("Token stores with versions", .timeLimit(.minutes(5)))
struct VersionedStoreTests {
    private struct Store: VersionedTokenStore {
        struct State: Sendable {
            var entries: [TokenKey: AccessToken] = [:]
            var versions: [TokenKey: UInt8] = [:]
            /// The writes of the other process, each just before one of this process.
            var others: [AccessToken?] = []
            var refusals = 0

            mutating func set(_ token: AccessToken?, _ key: TokenKey) {
                entries[key] = token
                versions[key, default: 0] &+= 1
            }
            func version(_ key: TokenKey) -> TokenVersion { entries[key] == nil ? .missing : .value([versions[key] ?? 0]) }
        }
        let state = Watched(State()), key: TokenKey

        func token(for key: TokenKey) -> AccessToken? { entry(for: key).token }
        func entry(for key: TokenKey) -> (token: AccessToken?, version: TokenVersion) { (state.value.entries[key], state.value.version(key)) }
        func save(_ token: AccessToken, for key: TokenKey) { state.update { $0.set(token, key) } }
        func removeToken(for key: TokenKey) { state.update { $0.set(nil, key) } }
        func replace(_ version: TokenVersion, with token: AccessToken?, for key: TokenKey) -> Bool {
            state.update { state in
                if key == self.key, !state.others.isEmpty { state.set(state.others.removeFirst(), key) }
                guard state.version(key) == version else {
                    state.refusals += 1
                    return false
                }
                state.set(token, key)
                return true
            }
        }
    }

    private let store = Store(key: TokenKey(service: "s", environment: "production")), ends = Watched<[LogOutReason]>([])
    private let valid = Watched("access-0"), next = Watched("access-1"), grants = Watched(true)

    private func client() -> Client {
        Client(
            transport: .stub { [valid, next, grants] request in
                guard request.url.path == "/token" else { return .status(request.headers[.authorization] == "Bearer \(valid.value)" ? .ok : .unauthorized) }
                guard grants.value else { return .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
                valid.update { $0 = next.value }
                return .json(#"{"access_token":"access-1","refresh_token":"refresh-1"}"#)
            }, services: [TokenServer.service]
        ) { [store, ends] in
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: RefreshRule { $0.backOff = .zero }) {
                _, reason in ends.update { $0.append(reason) }
            }
        }
    }

    private let newer = AccessToken("newer", refreshToken: "newer-r", account: "ann")
    private var entry: String? { store.token(for: store.key)?.value }

    /// Logged in, with a token that is of no use any more.
    private func begin() async throws -> Client {
        let client = client()
        try await client.logIn(AccessToken("access-0", refreshToken: "refresh-0", account: "ann"))
        try await client.get("/a")
        valid.update { $0 = "none" }
        return client
    }

    @Test func aTokenThatIsWrittenDuringARefreshIsKept() async throws {
        let client = try await begin()
        store.state.update { $0.others = [newer] }
        next.update { $0 = "newer" }
        try await client.get("/b")
        #expect(entry == "newer" && store.state.value.refusals == 1)
        try await client.get("/c")
        #expect(entry == "newer" && ends.value == [])
    }

    @Test func aLogOutDuringARefreshEndsTheLogin() async throws {
        let client = try await begin()
        store.state.update { $0.others = [nil] }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/b") }
        #expect(error?.code == .loggedOut && entry == nil)
    }

    @Test func aTokenThatIsWrittenBeforeARemovalIsKept() async throws {
        let client = try await begin()
        grants.update { $0 = false }
        store.state.update { $0.others = [newer] }
        await #expect(throws: TarmacError.self) { try await client.get("/b") }
        #expect(entry == "newer")
        valid.update { $0 = "newer" }
        try await client.get("/c")
        #expect(entry == "newer")
    }

    @Test func aLogOutRemovesWhatIsWrittenMeanwhile() async throws {
        let client = try await begin()
        store.state.update { $0.others = [newer] }
        try await client.logOut()
        #expect(entry == nil && store.state.value.refusals == 1)
    }

    @Test func anEntryThatChangesEachTimeIsNotTriedForEver() async throws {
        let client = try await begin()
        store.state.update { $0.others = (0..<100).map { AccessToken("other-\($0)", refreshToken: "other-r", account: "ann") } }
        try await client.logOut()
        #expect(store.state.value.refusals == 8 && entry == nil)
    }

    // MARK: The Keychain's items

    @Test func theVersionOfAnItemIsItsAttribute() {
        #expect(KeychainStatus.itemNotFound.version(nil) == .missing)
        #expect(KeychainStatus.success.version(nil) == .unknown)
        #expect(KeychainStatus.success.version(Data()) == .unknown)
        #expect(KeychainStatus.success.version(Data([1, 2])) == .value([1, 2]))
    }

    @Test func anItemThatIsNotFoundOrAlreadyThereHasChanged() throws {
        #expect(try KeychainStatus.success.isChange(of: store.key, "written"))
        for status in [KeychainStatus.itemNotFound, .duplicateItem] { #expect(try !status.isChange(of: store.key, "written")) }
        let error = #expect(throws: TarmacError.self) { try KeychainStatus.interactionNotAllowed.isChange(of: store.key, "written") }
        #expect(error?.code == .tokenStoreFailed)
    }
}
