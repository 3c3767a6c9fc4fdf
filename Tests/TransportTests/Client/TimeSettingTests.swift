#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

/// The time settings through a client, over sockets: which limit ends which phase. In real time, and so it is the code
/// of the error that counts and never how long it took.
@Suite("Time settings over the wire", .timeLimit(.minutes(5)))
struct TimeSettingTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    private static let limit = TimeLimit.milliseconds(300)
    /// Where the head has to come first, on a machine that has much else to do.
    private static let headLimit = TimeLimit.seconds(3)

    /// What a call sets, where the server stops, and what ends the call.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: ServerScript
        let code: TarmacError.Code
        let configure: @Sendable (inout Options) -> Void
    }

    private static let begun = ServerScript.Step.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
    private static let failing = ServerScript.Step.write("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 10\r\n\r\nhalf")
    private static let away = ServerScript.Step.reply(302, headers: [("Location", "/away")])

    static let rows = [
        Row(testDescription: "timeout while waiting", script: [.readRequest, .stall], code: .timeout) { $0.timeout = limit },
        Row(testDescription: "timeout before the request is read", script: [.stall], code: .timeout) { $0.timeout = limit },
        Row(testDescription: "timeout in a body", script: [.readRequest, begun, .stall], code: .timeout) { $0.timeout = limit },
        Row(testDescription: "idleTimeout in a body", script: [.readRequest, begun, .stall], code: .idleTimeout) { $0.idleTimeout = limit },
        Row(testDescription: "idleTimeout alone", script: [.readRequest, begun, .stall], code: .idleTimeout) {
            $0.timeout = .unlimited
            $0.idleTimeout = limit
        },
        Row(testDescription: "deadline while waiting", script: [.readRequest, .stall], code: .deadlineExceeded) { $0.deadline = limit },
        Row(testDescription: "deadline in a body", script: [.readRequest, begun, .stall], code: .deadlineExceeded) { $0.deadline = limit },
        Row(testDescription: "deadline across a redirect", script: [.readRequest, away, .readRequest, .stall], code: .deadlineExceeded) {
            $0.deadline = .seconds(1)
            $0.timeout = .unlimited
        },
        Row(testDescription: "timeout of a redirect's second hop", script: [.readRequest, away, .readRequest, .stall], code: .timeout) {
            $0.timeout = limit
        },
    ]

    private func ending(_ call: () async throws -> Void) async -> TarmacError.Code? {
        do { try await call() } catch { return (error as? TarmacError)?.code }
        return nil
    }

    private func withClient<Value>(
        _ transport: TransportUnderTest, _ url: HTTPURL, concurrency: Int = 64, _ body: (Client) async throws -> Value
    ) async throws -> Value {
        try await Tarmac.withClient(
            transport: transport.factory, services: [Service("s", host: Hosts(url.string))], concurrency: concurrency, body)
    }

    @Test(arguments: transports, rows)
    func theLimitThatAppliesEndsTheCall(transport: TransportUnderTest, row: Row) async throws {
        let server = try ScriptedServer(row.script)
        defer { server.stop() }
        try await withClient(transport, server.url()) { client in
            #expect(await ending { try await client.get("/", configure: row.configure) } == row.code)
        }
    }

    /// What a streamed call sets, where the server stops, and what ends the reading of its body.
    static let streamedRows = [
        Row(testDescription: "timeout before the head", script: [.readRequest, .stall], code: .timeout) { $0.timeout = limit },
        Row(testDescription: "timeout in the page of a failure", script: [.readRequest, failing, .stall], code: .timeout) { $0.timeout = limit },
        Row(testDescription: "idleTimeout, not timeout", script: [.readRequest, begun, .stall], code: .idleTimeout) {
            $0.timeout = headLimit
            $0.idleTimeout = .seconds(4)
        },
        Row(testDescription: "deadline", script: [.readRequest, begun, .stall], code: .deadlineExceeded) {
            $0.timeout = headLimit
            $0.deadline = .seconds(6)
        },
    ]

    @Test(arguments: transports, streamedRows)
    func theLimitThatAppliesEndsAStream(transport: TransportUnderTest, row: Row) async throws {
        let server = try ScriptedServer(row.script)
        defer { server.stop() }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try await withClient(transport, server.url()) { client in
            let streamed = await ending {
                try await client.stream(.get("/"), configure: row.configure) { response in for try await _ in response.body {} }
            }
            #expect(streamed == row.code)
            #expect(await ending { try await client.send(Download(.get("/"), to: path), configure: row.configure) } == row.code)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    /// AsyncHTTPClient tells when it is connected; URLSession does not, and knows the timeout alone.
    @Test(arguments: transports)
    func aConnectionThatDoesNotComeAboutEnds(transport: TransportUnderTest) async throws {
        let silent = try DeadPort.silent()
        let tells = transport.testDescription == TransportUnderTest.asyncHTTPClient.testDescription
        // Dropped and not shut down: AsyncHTTPClient's shutdown waits for the connection that does not come about.
        let client = Client(transport: transport.factory, services: [Service("s", host: Hosts(silent.url().string))])
        let code = await ending {
            try await client.get("/") { options in
                if tells { options.connectTimeout = Self.limit } else { options.timeout = Self.limit }
            }
        }
        #expect(code == (tells ? .connectTimeout : .timeout))
    }

    @Test(arguments: transports)
    func aCallThatFindsNoSlotInTimeIsNeverSent(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        defer { server.stop() }
        try await withClient(transport, server.url(), concurrency: 1) { client in
            let first = Task { try await client.get("/first") }
            try await server.received(count: 1)
            #expect(await ending { try await client.get("/second") { $0.queueTimeout = .milliseconds(50) } } == .queueTimeout)
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
        }
        #expect(server.requests.map(\.path) == ["/first"])
    }

    /// The body of an acceptable status is in the file, whoever writes it.
    @Test(arguments: transports)
    func aDownloadWritesTheBodyOfEveryAcceptableStatus(transport: TransportUnderTest) async throws {
        let page = String(repeating: "no such page. ", count: 10_000)
        let server = try ScriptedServer(.serving(ServerScript.Step.response(404, page)))
        defer { server.stop() }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await withClient(transport, server.url()) { client in
            let file = try await client.send(Download(.get("/"), to: path)) { $0.acceptableStatus = .any }
            #expect(file.response.status == .notFound)
        }
        #expect(FileManager.default.contents(atPath: path) == Data(page.utf8))
    }
}
#endif
