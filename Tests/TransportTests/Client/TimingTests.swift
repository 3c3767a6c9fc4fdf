#if Tools
import Tarmac
import TarmacNIO
import TarmacTesting
import TarmacURLSession
import Testing

/// Timings over sockets, from a server that pauses. A busy machine makes spans longer and never shorter.
@Suite("Timings over the wire", .timeLimit(.minutes(1)))
struct TimingTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    private static let pause = Duration.milliseconds(40)

    private static func paused(_ body: String) -> ServerScript {
        [
            .readRequest, .pause(pause), .write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(1))"), .pause(pause),
            .write("\(body.dropFirst())"),
        ]
    }

    @Test(arguments: transports)
    func pausesOfTheServerAreInTheRightSpans(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.loop(Self.paused("\"hello\"").steps)])
        defer { server.stop() }
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            for isReused in [false, true] {
                let landed = try await client.landed(for: .post("/", body: .text("12345")))
                let timings = try #require(landed.timings.first)
                let (wait, receive) = (try #require(timings.wait), try #require(timings.receive))
                #expect(wait >= Self.pause)
                #expect(wait + receive >= Self.pause * 2)
                #expect(timings.total >= wait + receive)
                #expect(timings.bytesSent == 5 && timings.bytesReceived == 7)
                guard transport.factory.name == TransportFactory.asyncHTTPClient.name else { continue }
                #expect(timings.version == .http1_1)
                #expect(timings.isReused == isReused)
                #expect((timings.connect != nil) == !isReused)
                #expect(timings.remoteAddress == "127.0.0.1:\(server.port)")
            }
        }
    }

    @Test(arguments: transports)
    func aFailureTellsHowFarItCame(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.readRequest, .pause(Self.pause), .close])
        defer { server.stop() }
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            let error = await #expect(throws: TarmacError.self) { try await client.send(.post("/", body: .text("12345"))) }
            let timings = try #require(error?.timings.first)
            #expect(timings.wait == nil && timings.receive == nil)
            #expect(timings.bytesSent == 5)
            #expect(timings.total >= Self.pause)
        }
    }
}
#endif
