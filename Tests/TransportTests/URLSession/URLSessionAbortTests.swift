import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacURLSession
import Testing

@Suite(.timeLimit(.minutes(5))) struct URLSessionAbortTests {
    @Test func abortedBeforeItsStartSendsNothing() async throws {
        let server = try ByteServer.answering(URLSessionExchangeTests.ok)
        let rig = try Rig()
        let exchange = rig.exchange()
        exchange.abort(.cancelled)
        await #expect(throws: CancellationError.self) {
            try await rig.transport.send(Request(.get, server.url()), exchange: exchange)
        }
        #expect(server.connectionCount == 0)
        #expect(rig.reports.withLock { $0 } == ["ended"])
    }

    @Test func abortWhileWaitingThrowsItsReasonAndClosesTheConnection() async throws {
        let arrived = Latch(), closed = Latch()
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            arrived.open()
            connection.waitForEnd()
            closed.open()
        }
        let rig = try Rig()
        let exchange = rig.exchange()
        async let failure = Self.failure { try await rig.transport.send(Request(.get, server.url()), exchange: exchange) }
        await arrived.wait()
        exchange.abort(.failed(TarmacError(.timeout, phase: .waiting)))
        #expect((await failure as? TarmacError)?.code == .timeout)
        await closed.wait()
        #expect(rig.reports.withLock { $0 }.filter { $0 == "ended" }.count == 1)
    }

    @Test func abortWhileTheBodyStreamWaitsEndsTheStream() async throws {
        let started = Latch(), ended = Latch()
        let server = try ByteServer.answering(URLSessionExchangeTests.ok)
        let silence = AsyncStream<Bytes> { $0.onTermination = { _ in ended.open() } }
        let stream = ByteStream(
            AsyncStream<Bytes> {
                started.open()
                var iterator = silence.makeAsyncIterator()
                return await iterator.next()
            })
        let rig = try Rig()
        let exchange = rig.exchange()
        async let failure = Self.failure {
            try await rig.transport.send(Request(.put, server.url(), body: .stream(stream)), exchange: exchange)
        }
        await started.wait()
        exchange.abort(.cancelled)
        #expect(await failure is CancellationError)
        await ended.wait()
        #expect(server.connectionCount == 0)
    }

    @Test func droppedStreamClosesTheConnection() async throws {
        let closed = Latch()
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
            connection.waitForEnd()
            closed.open()
        }
        let rig = try Rig()
        do {
            let response = try await rig.send(Request(.get, try server.url()), .streamed)
            #expect(response.status.code == 200)
        }
        await closed.wait()
        #expect(rig.reports.withLock { $0 }.last == "ended")
    }

    @Test func cancelledReaderClosesTheConnection() async throws {
        let closed = Latch(), first = Latch()
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
            connection.waitForEnd()
            closed.open()
        }
        let rig = try Rig()
        let reader = Task {
            guard case .stream(let stream) = try await rig.send(Request(.get, server.url()), .streamed).body else { return }
            for try await _ in stream { first.open() }
        }
        await first.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await closed.wait()
    }

    @Test func abortReachesTheReaderOfAStream() async throws {
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
            connection.waitForEnd()
        }
        let rig = try Rig()
        let exchange = rig.exchange(.streamed)
        let response = try await rig.transport.send(Request(.get, server.url()), exchange: exchange)
        guard case .stream(let stream) = response.body else { throw POSIXError(.EINVAL) }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 3)
        exchange.abort(.failed(TarmacError(.idleTimeout, phase: .receiving)))
        do {
            _ = try await iterator.next()
            Issue.record("the stream went on")
        } catch {
            #expect((error as? TarmacError)?.code == .idleTimeout)
        }
    }

    /// A server that answers each connection's requests after `gate` opens, and the paths it has seen.
    private func gated(_ gate: Latch, _ arrived: Latch, _ paths: Locked<[String]>) throws -> ByteServer {
        try ByteServer { connection in
            while let head = connection.readRequest()?.head {
                paths.withLock { $0.append(String(head.split(separator: " ")[1])) }
                arrived.open()
                gate.waitOnThread()
                connection.write(URLSessionExchangeTests.ok)
            }
        }
    }

    /// Without a queue above the session, some of them are sent when the first is answered.
    @Test func whatIsCancelledWhileItWaitsForAConnectionIsNeverSent() async throws {
        let gate = Latch(), arrived = Latch(), paths = Locked<[String]>([])
        let server = try gated(gate, arrived, paths), rig = try Rig { $0.connectionsPerHost = 1 }
        async let first = rig.send(Request(.get, server.url("/first")))
        await arrived.wait()
        let flights = (0..<50).map { _ in rig.exchange() }
        let calls = flights.map { flight in Task { try await rig.transport.send(Request(.get, server.url("/queued")), exchange: flight) } }
        for flight in flights { flight.abort(.cancelled) }
        for call in calls { await #expect(throws: CancellationError.self) { try await call.value } }
        gate.open()
        #expect(try await first.text == "hi")
        #expect(try await rig.send(Request(.get, try server.url("/last"))).text == "hi")
        #expect(paths.withLock { $0 } == ["/first", "/last"])
    }

    // XF-7: the connection limit of a service holds on the wire.
    @Test func whatWaitsForAConnectionIsSentWhenOneIsFree() async throws {
        let gate = Latch(), arrived = Latch(), paths = Locked<[String]>([])
        let server = try gated(gate, arrived, paths), rig = try Rig { $0.connectionsPerHost = 2 }
        let calls = (0..<40).map { number in Task { try await rig.send(Request(.get, server.url("/\(number)"))) } }
        await arrived.wait()
        gate.open()
        for call in calls { #expect(try await call.value.text == "hi") }
        #expect(Set(paths.withLock { $0 }).count == 40)
        #expect(server.connectionCount <= 2)
    }

    #if canImport(FoundationNetworking)
    // XF-7: an empty POST has a connection of its own, beside the limit.
    @Test func anEmptyPostIsBesideTheLimit() async throws {
        let gate = Latch(), arrived = Latch(), paths = Locked<[String]>([])
        let server = try gated(gate, arrived, paths), rig = try Rig { $0.connectionsPerHost = 1 }
        async let first = rig.send(Request(.get, server.url("/first")))
        await arrived.wait()
        let posts = (0..<3).map { number in Task { try await rig.send(Request(.post, server.url("/\(number)"))) } }
        await eventually { server.connectionCount >= 4 }
        gate.open()
        #expect(try await first.text == "hi")
        for post in posts { #expect(try await post.value.text == "hi") }
        #expect(server.connectionCount == 4)
    }
    #endif

    @Test func aShutdownEndsWhatWaitsForAConnection() async throws {
        let gate = Latch(), arrived = Latch(), paths = Locked<[String]>([])
        let server = try gated(gate, arrived, paths), rig = try Rig { $0.connectionsPerHost = 1 }
        let calls = (0..<10).map { _ in Task { await rig.failure(Request(.get, try server.url())) } }
        await arrived.wait()
        await rig.transport.shutdown()
        for call in calls { #expect(try await call.value?.code == .clientShutDown) }
        #expect(paths.withLock { $0.count } == 1)
        gate.open()
    }

    @Test func thousandAbortsLeaveNothing() async throws {
        let server = try ByteServer { connection in connection.waitForEnd() }
        let rig = try Rig()
        let url = try server.url()
        let exchanges = (0..<1_000).map { _ in rig.exchange() }
        let failures = await withTaskGroup(of: Bool.self) { group in
            for exchange in exchanges {
                group.addTask {
                    await Self.failure { try await rig.transport.send(Request(.get, url), exchange: exchange) }
                        is CancellationError
                }
            }
            for exchange in exchanges { exchange.abort(.cancelled) }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 1_000)
        #expect(rig.reports.withLock { $0 }.filter { $0 == "ended" }.count == 1_000)
        await rig.transport.shutdown()
    }

    /// Whatever holds a connection gives it up after those that wait for one have been taken back.
    @Test func abortsOfABurstSendNothing() async throws {
        let requests = Locked(0)
        let arrived = Latch()
        let server = try ByteServer { connection in
            guard connection.readRequest() != nil else { return }
            if requests.withLock({ count in
                count += 1; return count == 6
            }) {
                arrived.open()
            }
            connection.waitForEnd()
        }
        let rig = try Rig()
        let url = try server.url()
        let exchanges = (0..<100).map { _ in rig.exchange() }
        let held = exchanges[..<6].map { exchange in Task { try await rig.transport.send(Request(.get, url), exchange: exchange) } }
        await arrived.wait()
        let begun = Locked(0)
        let waiting = exchanges[6...].map { exchange in
            Task {
                begun.withLock { $0 += 1 }
                return try await rig.transport.send(Request(.get, url), exchange: exchange)
            }
        }
        await eventually { begun.withLock({ $0 }) >= waiting.count }
        for exchange in exchanges.reversed() { exchange.abort(.cancelled) }
        for call in held + waiting { await #expect(throws: CancellationError.self) { try await call.value } }
        await rig.transport.shutdown()
        #expect(requests.withLock { $0 } == 6)
    }

    @Test func shutdownEndsWhatWaitsAndRefusesTheNext() async throws {
        let arrived = Latch()
        let server = try ByteServer { connection in
            _ = connection.readRequest()
            arrived.open()
            connection.waitForEnd()
        }
        let rig = try Rig()
        async let failure = rig.failure(Request(.get, try server.url()))
        await arrived.wait()
        await rig.transport.shutdown()
        await rig.transport.shutdown()
        #expect(try await failure?.code == .clientShutDown)
        #expect(await rig.failure(Request(.get, try server.url()))?.code == .clientShutDown)
    }

    @Test func shutdownOfAnUnusedTransportReturns() async throws {
        await (try Rig()).transport.shutdown()
    }

    private static func failure<Value>(_ body: () async throws -> Value) async -> (any Error)? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }
}
