import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection
@testable import TarmacURLSession
import Testing
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct SessionTaskTests {
    /// A copy of all bytes at each chunk would have another address.
    @Test func aBodyIsCollectedInATimeThatGrowsWithItsSize() throws {
        let (chunk, count) = (Data(repeating: 7, count: 16_384), 64)
        var state = SessionTaskState(), addresses: Set<UnsafeRawPointer?> = []
        let head = try ResponseHead(method: .get, status: 200, fields: [:], decodesContent: false)
        let size = Int64(chunk.count * count)
        _ = state.prepare(head, .gathering(BodyGatherer(limit: .max, expected: size)))
        for index in 0..<count {
            _ = try state.take(chunk)
            guard index > 0, case .gathering(let gatherer) = state.sink else { continue }
            addresses.insert(gatherer.data?.withUnsafeBytes { $0.baseAddress })
        }
        #expect(state.received == size)
        #expect(addresses.count == 1)
    }

    // MARK: Silence

    @Test(arguments: [
        (TarmacError.Code.timeout, false, true), (.deadlineExceeded, false, true), (.connectionLost, false, false), (.timeout, true, false),
        (.idleTimeout, true, true),
    ])
    func anEndAtALimitWithoutASignOfTheServerIsReported(_ code: TarmacError.Code, _ hasHead: Bool, _ isReported: Bool) throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        let reports = Locked(0)
        var state = SessionTaskState()
        let task = session.dataTask(with: try #require(URL(string: "https://localhost/")))
        let isAboard = state.board(task) { reports.withLock { $0 += 1 } }
        #expect(isAboard)
        if hasHead {
            let head = try ResponseHead(method: .get, status: 200, fields: [:], decodesContent: false)
            _ = state.prepare(head, .gathering(BodyGatherer(limit: 1, expected: nil)))
        }
        state.end(.failure(TarmacError(code, phase: .waiting)))?.silence?()
        task.cancel()
        #expect(reports.withLock { $0 } == (isReported ? 1 : 0))
    }

    /// The server is silent in its TLS handshake.
    @Test func theSessionOfASilentServerIsReplaced() async throws {
        let arrived = Latch()
        let server = try ByteServer { connection in
            _ = connection.read(1)
            arrived.open()
            connection.waitForEnd()
        }
        let pool = SessionPool(try SessionSettings(ConnectionSettings()))
        let first = try pool.pooled(for: .shared)
        let request = Request(.get, try HTTPURL("https://127.0.0.1:\(server.port)/"))
        let exchange = Exchange(delivery: .collected(limit: 10))
        let canceller = TaskCanceller()
        let flight = SessionTask(request, exchange: exchange, canceller: canceller)
        let urlRequest = try URLRequest(request)
        async let code: TarmacError.Code? = {
            do { _ = try await flight.land { _ = first.start(flight, urlRequest, $0, canceller: canceller) } } catch { return (error as? TarmacError)?.code }
            return nil
        }()
        await arrived.wait()
        exchange.abort(.failed(TarmacError(.timeout, phase: .waiting)))
        #expect(await code == .timeout)
        #expect(try (pool.pooled(for: .shared) !== first) == Platform.keepsDeadConnections)
        await pool.close()
    }

    // MARK: Tunnels

    @Test func aRequestTunnelsToASecureHostBehindAProxy() throws {
        let environment = ProxyEnvironment(["https_proxy": "http://proxy:1", "http_proxy": "http://proxy:1", "no_proxy": "free.example"])
        let rule = ProxyRule(setting: .environment, readsEnvironment: true, environment: environment)
        #expect(rule.tunnels(to: try HTTPURL("https://a.example/")))
        #expect(!rule.tunnels(to: try HTTPURL("http://a.example/")))
        #expect(!rule.tunnels(to: try HTTPURL("https://free.example/")))
        let apple = ProxyRule(setting: .environment, readsEnvironment: false, environment: environment)
        #expect(!apple.tunnels(to: try HTTPURL("https://a.example/")))
    }

    /// The head of the proxy comes first on a new connection, and not at all on a kept one.
    @Test(arguments: [(true, 404, "gone"), (true, 204, ""), (false, 500, "oops"), (false, 200, "")])
    func theHeadOfATunnelIsNotTheAnswer(_ isNew: Bool, _ status: Int, _ text: String) async throws {
        for delivery in [Exchange.Delivery.collected(limit: 100), .streamed] {
            let url = try HTTPURL("https://a.example/")
            let flight = SessionTask(
                Request(.get, url), exchange: Exchange(delivery: delivery), canceller: TaskCanceller(), isTunnelled: true)
            let heads = (isNew ? [(200, ["Set-Cookie": "proxy=1", "Content-Length": "0"])] : []) + [(status, ["X-Origin": "yes"])]
            let responses = try heads.map { status, fields in
                try #require(HTTPURLResponse(url: URL(string: url.string)!, statusCode: status, httpVersion: nil, headerFields: fields))
            }
            let response = try await flight.land { _ in
                for response in responses { flight.received(response) }
                if !text.isEmpty { flight.received(Data(text.utf8)) }
                flight.completed(with: nil, response: responses.last)
            }
            #expect(response.status.code == status)
            #expect(response.headers.map(\.name.rawName) == ["X-Origin"])
            let body = if case .stream(let stream) = response.body { try await stream.collect(upTo: 100) } else { response.body.collected }
            #expect(body == Bytes(text))
        }
    }
}
