#if Redis && canImport(Glibc)
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacRedis

/// Processes of a fleet, started as such and killed.
@Suite("Redis: a fleet", .serialized, .timeLimit(.minutes(10)))
struct RedisFleetKillTests {
    /// An API with a token endpoint. A token is good for a number of calls.
    private final class API: Sendable {
        struct Book: Sendable {
            var issued = 0
            var calls = 0
            var refused = 0
            var usesLeft = 0
            var ended: [Int32] = []
        }
        let book = Watched(Book())
        private let uses: Int

        init(uses: Int = .max) { self.uses = uses }

        func answer(_ request: RecordedRequest) -> Bytes {
            let authorization = request.values("Authorization").first
            return Bytes(
                book.update { [uses] book -> String in
                    if request.path == "/token" {
                        (book.issued, book.usesLeft) = (book.issued + 1, uses)
                        return ServerScript.Step.response(200, #"{"access_token": "t\#(book.issued)", "token_type": "Bearer", "expires_in": 3600}"#)
                    }
                    guard authorization == "Bearer t\(book.issued)" || authorization == nil, book.usesLeft > 0 || authorization == nil else {
                        book.refused += 1
                        return ServerScript.Step.response(401, "{}")
                    }
                    book.usesLeft -= 1
                    book.calls += 1
                    return ServerScript.Step.response(200, "{}")
                })
        }

        func start(_ arguments: [String]) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
                .appendingPathComponent("RedisChild")
            process.arguments = arguments
            process.terminationHandler = { [book] process in book.update { $0.ended.append(process.terminationStatus) } }
            try process.run()
            return process
        }
    }

    @Test func aThousandCallsOfEightProcessesNeedOneToken() async throws {
        let redis = try await RedisServer(), api = API(), client = redis.client()
        // The token endpoint answers when all processes have asked for the token of the others.
        let server = try ScriptedServer([
            .loop([.readRequest, .choose { $0.path == "/token" ? [.hold("all"), .answer(api.answer)] : [.answer(api.answer)] }])
        ])
        defer { server.stop() }
        let processes = try (0..<8).map { _ in try api.start(["tokens", "\(redis.port)", "http://127.0.0.1:\(server.port)", "125"]) }
        defer { for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try await eventually(trying: {
            let clients = try await client.run("INFO", "clients").bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
            // Those of the processes and of this test.
            return clients.contains("connected_clients:9\r\n")
        })
        server.open("all")
        let book = try await api.book.wait { $0.ended.count == 8 }
        #expect(book.ended == Array(repeating: 0, count: 8))
        #expect(book.calls == 1_000 && book.issued == 1 && book.refused == 0)
    }

    @Test func aTokenThatIsRefusedIsRenewedOnceForAll() async throws {
        let redis = try await RedisServer(), api = API(uses: 600)
        let server = try ScriptedServer(.serving(api.answer))
        defer { server.stop() }
        let processes = try (0..<8).map { _ in try api.start(["tokens", "\(redis.port)", "http://127.0.0.1:\(server.port)", "125"]) }
        defer { for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let book = try await api.book.wait { $0.ended.count == 8 }
        #expect(book.ended == Array(repeating: 0, count: 8))
        #expect(book.calls == 1_000 && book.issued == 2)
    }

    @Test func aProcessThatIsKilledWhileItRefreshesHoldsNobody() async throws {
        let redis = try await RedisServer(), api = API()
        let serving: ServerScript.Step = .loop([.readRequest, .answer(api.answer)])
        // The first connection is that of the process that is killed, which waits for its token.
        let server = try ScriptedServer(connections: [[.readRequest, .stall]], then: [serving])
        defer { server.stop() }
        let arguments = ["tokens", "\(redis.port)", "http://127.0.0.1:\(server.port)", "10"]
        let killed = try api.start(arguments)
        #expect(try await server.received(count: 1).first?.path == "/token")
        let others = try (0..<3).map { _ in try api.start(arguments) }
        defer { for process in others where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        kill(killed.processIdentifier, SIGKILL)
        let book = try await api.book.wait { $0.ended.count == 4 }
        #expect(book.ended.count { $0 == 0 } == 3)
        #expect(book.calls == 30 && book.issued == 1)
    }

    /// By the server's clock: never more than the burst and the rate since before the first. That they are no fewer either is
    /// `turnsOfAllProcessesAreOneIntervalApart`; here a busy machine makes them late.
    @Test func aHundredASecondAreHeldByFourProcesses() async throws {
        let redis = try await RedisServer(), clock = redis.client(), api = API()
        func now() async throws -> Double {
            let parts = try await clock.run("TIME").array?.compactMap(\.number) ?? []
            return try #require(parts.count == 2 ? Double(parts[0]) + Double(parts[1]) / 1e6 : nil)
        }
        let server = try ScriptedServer(.serving(api.answer))
        defer { server.stop() }
        let before = try await now()
        let processes = try (0..<4).map { _ in try api.start(["limit", "\(redis.port)", "http://127.0.0.1:\(server.port)", "125"]) }
        defer { for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let early = try await api.book.wait { $0.calls > 0 }.calls, first = try await now()
        let calls = try await api.book.wait { $0.calls == 500 }.calls, last = try await now()
        #expect(Double(calls) <= 1 + 100 * (last - before))
        #expect(try await api.book.wait { $0.ended.count == 4 }.ended == [0, 0, 0, 0])
        print("a limit of 100 a second over 4 processes: \(Double(calls - early) / (last - first)) a second")
    }
}
#endif
