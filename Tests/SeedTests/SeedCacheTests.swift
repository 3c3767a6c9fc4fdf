import Tarmac
import TarmacTesting
import Testing

@Suite("Answers that are kept", .timeLimit(.minutes(5)))
struct SeedCacheTests {
    private struct UserInfo: Endpoint, Encodable {
        typealias Value = User
        static let route: Route = .get("/users/{id}")
        var id: Int
        func configure(_ options: inout Options) { options.cache = .ttl(.seconds(180), version: 2) }
    }

    // LM-8, YTK-28: each API says for itself whether its answers are kept, and for how long.
    @Test func anAPISaysWhetherItsAnswersAreKept() async throws {
        let (stub, time) = (StubTransport.user, ManualTime())
        let client = Client(stub, time: time)
        for _ in 0..<3 { _ = try await client.send(UserInfo(id: 7)) }
        #expect(stub.requests.count == 1)
        for _ in 0..<3 { _ = try await client.send(GetUser(id: 7)) }
        #expect(stub.requests.count == 4)
        time.advance(by: .seconds(181))
        _ = try await client.send(UserInfo(id: 7))
        #expect(stub.requests.count == 5)
    }

    // YTK-B4: what the documentation says: nothing is kept unasked, and an answer asked for anew takes the place of the old one.
    @Test func askingAnewStoresWhatIsAnswered() async throws {
        let names = Locked(["new", "old"])
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"\#(names.withLock { $0.removeLast() })"}"#) }
        let client = Client(stub, time: ManualTime())
        #expect(try await client.send(UserInfo(id: 7)).name == "old")
        #expect(try await client.send(UserInfo(id: 7)) { $0.cache = .reload }.name == "new")
        #expect(try await client.send(UserInfo(id: 7)).name == "new")
        #expect(stub.requests.count == 2)
        #expect(client.explain(GetUser(id: 7))["cache"]?.origin == .default)
    }
}
