#if Redis && canImport(Glibc)
import Foundation
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacRedis

@Suite("Redis: the client", .timeLimit(.minutes(5)))
struct HiredisClientTests {
    private func error(_ body: () async throws -> Void) async -> TarmacError? {
        do { try await body() } catch let error as TarmacError { return error } catch { Issue.record(error) }
        return nil
    }

    // MARK: Commands

    @Test func bytesOfAnyKindComeBack() async throws {
        let server = try await RedisServer(), client = server.client()
        for value in [[], [0], Array("a\r\n$5\r\n".utf8), [UInt8](repeating: 7, count: 3_000_000)] {
            _ = try await client.run([Bytes("SET"), Bytes("key"), Bytes(value)])
            #expect(try await client.run("GET", "key").bytes == Bytes(value))
        }
        guard case .null = try await client.run("GET", "none") else { return #expect(Bool(false), "it is not null") }
        #expect(try await client.run("INCR", "number").integer == 1)
        let list = try await client.run("EVAL", "return {1, 'two', false, {3}}", "0").array
        #expect(list?.count == 4 && list?[1].bytes == Bytes("two") && list?[3].array?.first?.integer == 3)
    }

    @Test func manyCallersShareOneConnection() async throws {
        let server = try await RedisServer(), client = server.client()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 { group.addTask { try await client.run("ECHO", "\(number)").bytes == Bytes("\(number)") } }
            for try await isOwn in group { #expect(isOwn) }
        }
        let info = try await client.run("INFO", "stats").bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        // The first is that of the test itself, which waited for the server to start.
        #expect(info.contains("total_connections_received:2\r\n"))
    }

    @Test func anErrorOfTheServerShowsNoArgument() async throws {
        let server = try await RedisServer(), client = server.client()
        let error = await error { _ = try await client.run("SECRETLESS", "planted-secret") }
        #expect(error?.code == .storeFailed && error?.reason.hasSuffix("refuses SECRETLESS: ERR") == true)
        #expect(error.map { "\($0)".contains("planted") } == false)
        // The connection goes on.
        #expect(try await client.run("PING").bytes == Bytes("PONG"))
    }

    @Test func aLoginIsMadeAndShownNowhere() async throws {
        let server = try await RedisServer(["--requirepass", "planted-secret", "--user", "shop", "on", ">planted-shop", "~*", "+@all"])
        let refused = await error { _ = try await server.client().run("PING") }
        #expect(refused?.reason.contains("NOAUTH") == true)
        for (client, isRight) in [
            (server.client(password: "planted-secret"), true), (server.client(user: "shop", password: "planted-shop"), true),
            (server.client(password: "planted-wrong"), false), (server.client(user: "shop", password: "planted-secret"), false),
        ] {
            var text = "\(client)" + String(reflecting: client)
            dump(client, to: &text)
            if isRight {
                #expect(try await client.run("PING").bytes == Bytes("PONG"))
            } else {
                let error = await error { _ = try await client.run("PING") }
                #expect(error?.reason.contains("refuses AUTH: WRONGPASS") == true)
                text += error.map { "\($0)" + String(reflecting: $0) } ?? ""
            }
            #expect(!text.contains("planted"))
        }
    }

    @Test func databasesAreApart() async throws {
        let server = try await RedisServer()
        _ = try await server.client(database: 3).run("SET", "key", "three")
        guard case .null = try await server.client().run("GET", "key") else { return #expect(Bool(false), "the database is another") }
        #expect(try await server.client(database: 3).run("GET", "key").bytes == Bytes("three"))
        let error = await error { _ = try await server.client(database: 99).run("PING") }
        #expect(error?.reason.contains("refuses SELECT") == true)
    }

    @Test func aReplyShowsNoContent() {
        let values: [RedisValue] = [.bytes(Bytes("planted")), .integer(4_711), .null]
        for value in values + [.array(values)] {
            var text = "\(value)" + String(reflecting: value)
            dump(value, to: &text)
            #expect(!text.contains("planted") && !text.contains("4711"))
        }
    }

    // MARK: A server that is away

    @Test func aServerThatWasRestartedIsFoundAgain() async throws {
        let server = try await RedisServer(), client = server.client()
        for _ in 0..<3 {
            #expect(try await client.run("PING").bytes == Bytes("PONG"))
            try await server.crash()
            let error = await error { _ = try await client.run("PING") }
            #expect(error?.code == .storeFailed)
            try await server.start()
            try await eventually(trying: { (try? await client.run("PING"))?.bytes == Bytes("PONG") })
        }
    }

    @Test func aServerThatIsStoppedMidwayHoldsNobody() async throws {
        let server = try await RedisServer(), client = server.client(timeLimit: .milliseconds(300))
        try await eventually(trying: { (try? await client.run("PING")) != nil })
        server.signal(SIGSTOP)
        let late = await error { _ = try await client.run("PING") }
        #expect(late?.reason.contains("has not answered PING within") == true)
        // At once, and also when it is asked again: the system accepts the connection.
        for _ in 0..<20 { #expect(await error { _ = try await client.run("PING") } != nil) }
        server.signal(SIGCONT)
        try await eventually(trying: { (try? await client.run("PING"))?.bytes == Bytes("PONG") })
    }

    @Test func nobodyListens() async throws {
        for port in [try DeadPort.refusing(), try DeadPort.silent()] {
            let client = HiredisClient("127.0.0.1", port: port.port, timeLimit: .milliseconds(300))
            for _ in 0..<20 { #expect(await error { _ = try await client.run("PING") }?.code == .storeFailed) }
        }
        let unknown = HiredisClient("no-such-host.invalid")
        #expect(await error { _ = try await unknown.run("PING") }?.code == .storeFailed)
    }

    @Test(arguments: [Duration.seconds(Int64.max) * 18, .zero - .seconds(Int64.max) * 18])
    func noTimeLimitEndsTheProcess(limit: Duration) async throws {
        let port = try DeadPort.refusing(), client = HiredisClient("127.0.0.1", port: port.port, timeLimit: limit)
        #expect(await error { _ = try await client.run("PING") }?.code == .storeFailed)
    }

    @Test(
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n\r\n", "garbage", "*1000000000\r\n", "*-7\r\n", "$-9\r\n", ":\r\n", ":99999999999999999999\r\n", "$1000000000000\r\nx",
            "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", "\u{0}\u{0}\u{0}", "%1\r\n", "",
        ])
    func garbageIsAnErrorInTime(_ garbage: String) async throws {
        let server = try ScriptedServer([.bytes(Bytes(garbage)), .stall])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port, timeLimit: .milliseconds(300))
        #expect(await error { _ = try await client.run("GET", "key") }?.code == .storeFailed)
    }

    @Test func anAnswerTooManyEndsTheConnection() async throws {
        let server = try ScriptedServer(connections: [[.bytes(Bytes("+one\r\n+two\r\n")), .stall]], then: [.bytes(Bytes("+three\r\n")), .stall])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port)
        // Which of the two is noticed first is open; the second connection has no reply of the first.
        _ = try? await client.run("PING")
        try await server.isLeft()
        let next = try? await client.run("PING").bytes
        #expect(next != Bytes("two"))
    }

    @Test func aReplyWithoutAnEndHasOne() async throws {
        let server = try ScriptedServer([.bytes(Bytes("$4000000000\r\n")), .fill(7, count: 4_000_000_000), .stall])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port, timeLimit: .seconds(60))
        let error = await error { _ = try await client.run("GET", "key") }
        #expect(error?.reason.contains("more than 64 MiB") == true)
    }

    @Test func aServerThatTricklesIsLate() async throws {
        let server = try ScriptedServer([.bytes(Bytes("$1000\r\n")), .loop([.bytes(Bytes("x")), .pause(.milliseconds(20))])])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port, timeLimit: .milliseconds(300))
        #expect(await error { _ = try await client.run("GET", "key") }?.reason.contains("within") == true)
    }

    // MARK: Callers

    @Test func whatWaitsIsBounded() async throws {
        let server = try ScriptedServer([.stall])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port, timeLimit: .seconds(60)), refused = 1_500 - CommandQueue.maximumCount
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<1_500 { group.addTask { await error { _ = try await client.run("PING") }?.reason } }
            var late = 0
            for await reason in group {
                #expect(reason != nil)
                if reason?.contains("too many") == true { late += 1 }
                // The others wait for the server.
                if late == refused { server.stop() }
            }
            #expect(late == refused)
        }
        let large = await error { _ = try await client.run([Bytes("SET"), Bytes([UInt8](repeating: 0, count: 65 << 20))]) }
        #expect(large != nil)
    }

    @Test func aCancelledCallerLeavesAtOnce() async throws {
        let server = try ScriptedServer([.stall])
        defer { server.stop() }
        let client = HiredisClient("127.0.0.1", port: server.port, timeLimit: .seconds(3_600))
        let call = Task { try await client.run("PING") }
        try await server.wait { !$0.connections.isEmpty }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aReleasedClientClosesItsConnection() async throws {
        let server = try ScriptedServer([.bytes(Bytes("+PONG\r\n")), .stall])
        defer { server.stop() }
        do {
            let client = HiredisClient("127.0.0.1", port: server.port)
            _ = try? await client.run("PING")
        }
        try await server.isLeft()
    }
}
#endif
