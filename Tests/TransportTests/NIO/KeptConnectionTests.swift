#if NIO
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// Connections that pass from one exchange to the next without the pool.
struct KeptConnectionTests {
    // QSP-B13: requests share one pool over AsyncHTTPClient too, and the connection that is in it.
    @Test func oneAfterTheOtherTakesOneConnectionHoweverTheBodyIsRead() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport { transport in
            for index in 0..<50 {
                let flight = Flight(index % 2 == 0 ? .collected(limit: 10) : .streamed)
                let response = try await transport.send(Request(index % 3 == 0 ? .post : .get, server.url()), exchange: flight.exchange)
                let body = try await response.stream?.collect(upTo: 10).array ?? response.body.collected?.array
                #expect(body == Array("ok".utf8))
            }
        }
        #expect(server.seen.connections == 1)
        #expect(server.seen.requests.count == 50)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nConnection: Keep-Alive, Close\r\nContent-Length: 2\r\n\r\nok",
    ])
    func connectionTheServerWillCloseCarriesNothingMore(_ answer: String) async throws {
        let server = try await NIORawServer { _ in [.send(answer)] }
        try await withTransport { transport in
            for _ in 0..<3 { _ = try await transport.send(Request(.post, server.url()), exchange: Flight().exchange) }
        }
        #expect(server.seen.requests.map(\.number) == [0, 0, 0])
    }

    @Test func connectionThatEndsWithItsBodyCarriesNothingMore() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\n\r\nok"), .close] }
        try await withTransport { transport in
            for _ in 0..<3 {
                let response = try await transport.send(Request(.post, server.url()), exchange: Flight().exchange)
                #expect(response.text == "ok")
            }
        }
        #expect(server.seen.requests.map(\.number) == [0, 0, 0])
    }

    @Test func connectionThatSaysMoreThanItShouldCarriesNothingMore() async throws {
        let server = try await NIORawServer { $0.number == 0 ? [ok, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstale")] : [ok] }
        try await withTransport { transport in
            for _ in 0..<5 {
                let response = try? await transport.get(server.url())
                #expect(response?.text != "stale")
                await server.until { $0.closed == $0.connections }
            }
        }
    }

    /// Whoever waits for the connection gets it in the middle of what the server has sent.
    @Test(arguments: [1, 2, 8])
    func secondCopyOfAnAnswerIsNobodysAnswer(connectionsPerHost: Int) async throws {
        let server = try await NIORawServer { request in
            let path = request.head.split(separator: " ")[1]
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)"
            return [.send(answer + answer)]
        }
        var settings = ConnectionSettings()
        settings.connectionsPerHost = connectionsPerHost
        try await withTransport(settings) { transport in
            try await withThrowingTaskGroup(of: (String?, String).self) { group in
                for number in 0..<64 {
                    group.addTask { (try await transport.get(server.url("/\(number)")).text, "/\(number)") }
                }
                for try await (answer, asked) in group { #expect(answer == asked) }
            }
        }
    }

    @Test func requestThatAsksToCloseIsTheLastOfItsConnection() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport { transport in
            for _ in 0..<3 {
                _ = try await transport.send(Request(.get, server.url(), headers: [.connection: "close"]), exchange: Flight().exchange)
            }
        }
        #expect(server.seen.requests.map(\.number) == [0, 0, 0])
    }

    /// Origins behind a forwarding proxy share its connections; a connection kept for one must not keep the others waiting.
    @Test func manyOriginsShareTheConnectionToTheirProxy() async throws {
        let proxy = try await NIORawServer { _ in [ok] }
        let settings = ConnectionSettings {
            $0.proxy = .http(host: "127.0.0.1", port: proxy.port, authorization: nil)
            $0.connectionsPerHost = 1
        }
        try await withTransport(settings) { transport in
            for index in 0..<300 { _ = try await transport.get(try HTTPURL("http://host\(index).example/")) }
        }
        #expect(proxy.seen.connections == 1)
    }

    @Test func manyOriginsOfTheirOwnAreForgottenWithoutHarm() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport { transport in
            for index in 1...300 { _ = try? await transport.get(try server.url(host: "127.0.\(index / 250).\(index % 250 + 1)")) }
            let response = try await transport.get(server.url())
            #expect(response.text == "ok")
        }
    }

    /// An abort that comes as its exchange lands must not end the next one, which is on the same connection by then.
    @Test(arguments: [1, 2, 3]) func abortAtTheLandingLeavesTheNextExchangeAlone(_ seed: UInt64) async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url()
        var generator = SeededGenerator(seed: seed)
        let aborted = (0..<400).map { _ in Bool.random(using: &generator) }
        let codes = try await withTransport(ConnectionSettings { $0.connectionsPerHost = 2 }) { transport in
            await withTaskGroup(of: TarmacError.Code?.self) { group in
                for isAborted in aborted {
                    group.addTask {
                        let flight = Flight()
                        if isAborted { Task.detached { flight.exchange.abort(.cancelled) } }
                        do { _ = try await transport.send(Request(.post, url), exchange: flight.exchange) } catch {
                            // LIFETIME: the detached task above ends at once.
                            return isAborted ? nil : (error as? TarmacError)?.code ?? .transportFailed
                        }
                        return nil
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
            }
        }
        #expect(codes.isEmpty)
    }

    @Test func whoWaitsInThePoolGetsAConnectionThatBecomesFree() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url()
        try await withTransport(ConnectionSettings { $0.connectionsPerHost = 1 }) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask { for _ in 0..<20 { _ = try await transport.get(url) } }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.seen.requests.count == 200)
    }
}
#endif
