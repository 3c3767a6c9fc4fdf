import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// Where the time of an attempt went, over a transport whose steps take known times.
@Suite("Timings of attempts", .timeLimit(.minutes(1)))
struct AttemptTimingsTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private static let service = Service("s", host: "https://s.example")

    /// Each step takes a time, and then its report follows.
    private struct SteppedTransport: Transport {
        let name = "stepped"
        let capabilities: TransportCapabilities = [.connectionReports]
        let time: ManualTime
        var steps: [(Duration, Exchange.Report)]
        var status = 200
        var failure: TarmacError?

        func send(_ request: Request, exchange: Exchange) async throws -> Response {
            for (duration, report) in steps {
                time.advance(by: duration)
                exchange.report(report)
            }
            time.advance(by: .seconds(1))
            if let failure { throw failure }
            return Response(status: .init(code: status), url: request.url, version: .http2)
        }
        func shutdown() async {}
    }

    private static let steps: [(Duration, Exchange.Report)] = [
        (.milliseconds(30), .connected(isReused: false)), (.milliseconds(1), .sentHead), (.milliseconds(4), .sentBody(bytes: 100)),
        (.milliseconds(2), .sentAll), (.milliseconds(50), .receivedHead), (.milliseconds(7), .receivedBody(bytes: 3)),
        (.milliseconds(6), .receivedBody(bytes: 4)), (.zero, .ended),
    ]

    private func client(_ transport: SteppedTransport, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: TransportFactory(name: transport.name) { _ in transport }, services: [Self.service], time: time) {
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private func timed() -> [AttemptTimings] {
        recorder.events.compactMap { if case .attemptTimed(let timings) = $0.kind { timings } else { nil } }
    }

    @Test func aLandingTellsWhereItsTimeWent() async throws {
        let landed = try await client(SteppedTransport(time: time, steps: Self.steps)).landed(for: .get("/"))
        let timings = try #require(landed.timings.first)
        #expect(landed.timings.count == 1)
        #expect(timings.attempt == 1)
        #expect(timings.connect == .milliseconds(30))
        #expect(timings.send == .milliseconds(7))
        #expect(timings.wait == .milliseconds(50))
        #expect(timings.receive == .milliseconds(13))
        #expect(timings.total == .milliseconds(100))
        #expect(timings.queued == .zero)
        #expect(timings.nameResolution == nil && timings.tls == nil && timings.remoteAddress == nil)
        #expect(timings.bytesSent == 100 && timings.bytesReceived == 7)
        #expect(timings.isReused == false)
        #expect(timings.version == .http2)
        #expect(timings.description == "connect 30 ms, send 7 ms, wait 50 ms, receive 13 ms, 100 bytes sent, 7 received")
        #expect(timed().map(\.description) == landed.timings.map(\.description))
    }

    @Test func aReusedConnectionHasNoConnect() async throws {
        var steps = Self.steps
        steps[0].1 = .connected(isReused: true)
        let timings = try #require(try await client(SteppedTransport(time: time, steps: steps)).landed(for: .get("/")).timings.first)
        #expect(timings.connect == nil)
        #expect(timings.isReused == true)
        // It was busy before.
        #expect(timings.queued == .milliseconds(30) && timings.total == .milliseconds(70))
        #expect(timings.send == .milliseconds(7) && timings.wait == .milliseconds(50) && timings.receive == .milliseconds(13))
    }

    @Test func whatTheTransportMeasuresReplacesWhatTheReportsSay() async throws {
        let network = NetworkTimings(
            nameResolution: .milliseconds(3), connect: .milliseconds(9), tls: .milliseconds(18), send: .milliseconds(1), wait: .milliseconds(40),
            receive: .milliseconds(5), isReused: false, remoteAddress: "[2001:db8::1]:443", version: .http3)
        let steps = Self.steps.dropLast() + [(.zero, .network(network)), (.zero, .ended)]
        let timings = try #require(try await client(SteppedTransport(time: time, steps: Array(steps))).landed(for: .get("/")).timings.first)
        #expect(timings.nameResolution == .milliseconds(3))
        #expect(timings.connect == .milliseconds(9))
        #expect(timings.tls == .milliseconds(18))
        #expect(timings.send == .milliseconds(1))
        #expect(timings.wait == .milliseconds(40))
        #expect(timings.receive == .milliseconds(5))
        #expect(timings.remoteAddress == "[2001:db8::1]:443")
        #expect(timings.version == .http3)
    }

    @Test func aTransportThatReportsNothingHasATotalAlone() async throws {
        let timings = try #require(try await client(SteppedTransport(time: time, steps: [])).landed(for: .get("/")).timings.first)
        #expect(timings.total == .seconds(1))
        #expect(timings.connect == nil && timings.send == nil && timings.wait == nil && timings.receive == nil && timings.isReused == nil)
    }

    @Test func anErrorTellsTheTimingsOfEveryAttempt() async throws {
        let failure = TarmacError(.connectionLost, phase: .waiting, "gone")
        let client = client(SteppedTransport(time: time, steps: Array(Self.steps.prefix(4)), failure: failure)) { $0.retry = .exponential(base: .zero) }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") }
        let timings = try #require(error?.timings)
        #expect(timings.map(\.attempt) == [1, 2, 3])
        #expect(timings.allSatisfy { $0.total == .milliseconds(1_037) && $0.wait == nil && $0.receive == nil && $0.version == nil })
        #expect(timed().count == 3)
    }

    @Test func aResentRequestCountsFromItsFreshConnection() async throws {
        let steps = Array(Self.steps.prefix(4)) + [(Duration.milliseconds(5), Exchange.Report.resent)] + Self.steps
        let timings = try #require(try await client(SteppedTransport(time: time, steps: steps)).landed(for: .get("/")).timings.first)
        #expect(timings.bytesSent == 100)
        #expect(timings.send == .milliseconds(7))
        #expect(timings.total == .milliseconds(142))
    }

    @Test func anAnswerBeforeTheEndOfTheRequestWasNotWaitedFor() async throws {
        let steps: [(Duration, Exchange.Report)] = [
            (.milliseconds(1), .connected(isReused: false)), (.milliseconds(1), .receivedHead), (.milliseconds(1), .sentAll),
            (.milliseconds(1), .receivedBody(bytes: 1)),
        ]
        let timings = try #require(try await client(SteppedTransport(time: time, steps: steps)).landed(for: .get("/")).timings.first)
        #expect(timings.wait == .zero)
    }

    @Test func theWaitForASlotIsTold() async throws {
        let gate = Watched(0)
        let stub = StubTransport { request in
            if request.url.path == "/first" { _ = try await gate.wait { $0 == 1 } }
            return .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1, time: time)
        let first = Task { try await client.landed(for: .get("/first")) }
        _ = try await stub.received(count: 1)
        let waits = EventRecorder()
        let second = Task { try await client.landed(for: .get("/second")) { $0.observers = [waits] } }
        try await waits.received { if case .queued = $0.kind { true } else { false } }
        time.advance(by: .milliseconds(70))
        gate.update { $0 = 1 }
        _ = try await first.value
        #expect(try await second.value.timings.map(\.queued) == [.milliseconds(70)])
    }
}
