import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

@Suite("Outbox: a login that changes while an entry is made", .timeLimit(.minutes(5)))
struct OutboxEnqueueLoginTests {
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    private struct Diary: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/diary")
        let pages: @Sendable () -> ByteStream
        func body() throws -> Body? { .stream(pages(), length: nil, isReplayable: true, contentType: "text/plain") }
        var key = "k"
        func configure(_ options: inout Options) { options.idempotencyKey = .value(key) }
    }

    private final class Pages: ByteStreamSource {
        private let rest = Locked(2)
        let between: @Sendable () async throws -> Void
        init(_ between: @escaping @Sendable () async throws -> Void) { self.between = between }
        func next() async throws -> Bytes? {
            let left = rest.withLock { rest in
                rest -= 1
                return rest
            }
            if left == 0 { try await between() }
            return left < 0 ? nil : Bytes("a page of ann's ")
        }
    }

    /// Copying a body takes time.
    @Test(arguments: [true, false]) func theEntryBelongsToWhoEnqueuedIt(isLoggedOutFirst: Bool) async throws {
        let service = Service("s", host: "https://s.example") { $0.authenticator = .init(Logins(), store: nil) }
        let stub = StubTransport { _ in .status(.ok) }, client = Client(transport: .stub(stub), services: [service])
        try await client.logIn(AccessToken("ann", account: "ann"))
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        try await outbox.enqueue(
            Diary {
                ByteStream {
                    Pages {
                        if isLoggedOutFirst { try await client.logOut() }
                        try await client.logIn(AccessToken("bob", account: "bob"))
                    }
                }
            })
        #expect(try await outbox.entries().map(\.mutation?.account) == ["ann"])
        outbox.start()
        await outbox.waitUntilIdle()
        #expect(stub.requests.isEmpty)
        await outbox.shutdown()
        await client.shutdown()
    }

    @Test func theEntriesOfOneBatchBelongToOneLogin() async throws {
        let service = Service("s", host: "https://s.example") { $0.authenticator = .init(Logins(), store: nil) }
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [service])
        try await client.logIn(AccessToken("ann", account: "ann"))
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        let entries = (0..<3).map { number in
            Diary(pages: { ByteStream { Pages { if number == 0 { try await client.logIn(AccessToken("bob", account: "bob")) } } } }, key: "\(number)")
        }
        try await outbox.enqueue(contentsOf: entries)
        #expect(try await outbox.entries().map(\.mutation?.account) == ["ann", "ann", "ann"])
        await outbox.shutdown()
        await client.shutdown()
    }
}
