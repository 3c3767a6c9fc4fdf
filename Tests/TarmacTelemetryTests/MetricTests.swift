#if Tools
import CoreMetrics
import HTTPTypes
import MetricsTestKit
import TarmacResilience
import TarmacStreams
import TarmacSupport
import TarmacTesting
import TarmacTraffic
import TarmacTransfer
import Testing

@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTelemetry

@Suite("Metrics of requests on the wire")
struct MetricTests {
    @Test func theDurationOfARequestHasTheConventionalDimensions() async throws {
        let time = ManualTime()
        let rig = TelemetryRig(time: time) { _ in
            time.advance(by: .milliseconds(250))
            return .text("hello")
        }
        _ = try await rig.client.send(GetUser(id: "7"))
        let timer = try #require(rig.metrics.timers.first)
        #expect(timer.label == "http.client.request.duration" && timer.values == [250_000_000] && timer.displayUnit == .seconds)
        #expect(
            rig.dimensions(of: timer) == [
                "http.request.method": "GET", "server.address": "shop.example", "server.port": "443", "http.response.status_code": "200",
                "network.protocol.version": "1.1",
            ])
    }

    /// swift-prometheus ended the process at the second set of names, and takes an empty value for none.
    @Test(arguments: [false, true]) func forPrometheusAMetricHasTheSameNamesInAllItsCombinations(isMultiplexed: Bool) async throws {
        let strict = StrictPrometheusMetrics()
        let factory: any MetricsFactory = isMultiplexed ? MultiplexMetricsHandler(factories: [strict]) : strict
        let client = Client(
            transport: .stub { request in
                if request.url.path == "/users/lost" { throw TarmacError(.connectionLost, phase: .sending, "lost") }
                return request.url.path == "/users/busy" ? .status(.serviceUnavailable) : .text("hello")
            }, services: [.shop])
        var telemetry = Telemetry(metrics: factory)
        for measuresTemplates in [false, true] {
            telemetry.measuresTemplates = measuresTemplates
            for id in ["7", "lost", "busy"] { _ = try? await client.send(GetUser(id: id)) { [telemetry] in $0.telemetry = telemetry } }
        }
        let metrics = RequestMetrics(factory)
        for number in 0...RequestMetrics.limit {
            let facts = AttemptFacts(
                method: "GET", url: try HTTPURL("https://h\(number).example/"), shown: "", template: nil, resends: 0, knownMethods: ["GET"])
            metrics.begin(facts).decrement()
            metrics.record(.seconds(1), of: facts, withTemplate: false)
        }
        #expect(strict.names.value.count == 3 && strict.refused.value == [])
    }

    @Test func whatIsAbsentIsNoDimension() {
        let backend = TestMetrics(), peer = ConnectionPeer(scheme: "https+unix", host: "/run/s", port: nil, version: "1.1")
        ConnectionMetrics(backend).connection(to: peer, changed: nil, into: .active)
        #expect(backend.meters.allSatisfy { !$0.dimensions.contains { $0.0 == "server.port" || $0.1.isEmpty } } && backend.meters.count == 1)
    }

    @Test func aStreamIsInFlightUntilItsBodyEnds() async throws {
        let time = ManualTime()
        let rig = TelemetryRig(time: time) { _ in .chunks(["a", "b"]) }
        try await rig.client.stream(GetUser(id: "7")) { response in
            let meter = try #require(rig.meter("http.client.active_requests"))
            #expect(meter.lastValue == 1 && rig.metrics.timers.isEmpty)
            time.advance(by: .seconds(2))
            for try await _ in response.body {}
            #expect(meter.lastValue == 0)
        }
        #expect(rig.metrics.timers.map(\.values) == [[2_000_000_000]])
    }

    @Test func aStreamThatItsReaderLeavesIsNotInFlight() async throws {
        let rig = TelemetryRig { _ in .chunks(["a", "b"]) }
        try await rig.client.stream(GetUser(id: "7")) { _ in }
        #expect(rig.metrics.meters.allSatisfy { $0.lastValue == 0 } && rig.metrics.timers.map(\.values.count) == [1])
    }

    @Test func eachAttemptIsMeasured() async throws {
        let rig = TelemetryRig(configure: { $0.retry = .exponential(maxAttempts: 2, base: .zero) }) { _ in .status(.serviceUnavailable) }
        await #expect(throws: TarmacError.self) { try await rig.client.send(GetUser(id: "7")) }
        let timer = try #require(rig.metrics.timers.first)
        #expect(rig.metrics.timers.count == 1 && timer.values.count == 2)
        #expect(rig.dimensions(of: timer)["error.type"] == "503")
    }

    @Test func templatesAreADimensionOnRequestOnly() async throws {
        let rig = TelemetryRig()
        var telemetry = rig.telemetry
        telemetry.measuresTemplates = true
        _ = try await rig.client.send(GetUser(id: "7")) { [telemetry] in $0.telemetry = telemetry }
        let timer = try #require(rig.metrics.timers.first)
        #expect(rig.dimensions(of: timer)["url.template"] == "/users/{id}")
    }

    @Test func requestsInFlightAreCounted() async throws {
        let rig = TelemetryRig()
        rig.stub.hold()
        async let call = rig.client.send(GetUser(id: "7"))
        try await rig.stub.received(count: 1)
        let meter = try #require(rig.meter("http.client.active_requests"))
        #expect(meter.label == "http.client.active_requests" && meter.lastValue == 1)
        rig.stub.release()
        _ = try await call
        #expect(meter.lastValue == 0)
    }

    @Test func callsAndThoseThatWaitAreCounted() async throws {
        let rig = TelemetryRig(concurrency: 1, configure: { _ in })
        rig.stub.hold()
        let calls = (0..<3).map { id in Task { try await rig.client.send(GetUser(id: "\(id)")) } }
        await eventually { rig.meter("tarmac.client.waiting_calls")?.lastValue == 2 }
        #expect(rig.meter("tarmac.client.active_calls")?.lastValue == 3)
        calls[2].cancel()
        await eventually { rig.meter("tarmac.client.waiting_calls")?.lastValue == 1 }
        rig.stub.release()
        for call in calls { _ = await call.result }
        #expect(rig.meter("tarmac.client.waiting_calls")?.lastValue == 0)
        #expect(rig.meter("tarmac.client.active_calls")?.lastValue == 0)
        #expect(rig.meter("tarmac.client.active_calls").map { Dictionary($0.dimensions) { $1 } } == ["tarmac.service": "shop"])
    }

    /// Calls of two clients have the same numbers.
    @Test func clientsThatShareTheirTelemetryAreCountedTogether() async throws {
        let backend = TestMetrics(), stub = StubTransport { _ in .text("hello") }, telemetry = Telemetry(metrics: backend)
        stub.hold()
        let clients = (0..<2).map { _ in Client(transport: .stub(stub), services: [.shop]) { $0.telemetry = telemetry } }
        let calls = clients.map { client in Task { try await client.send(GetUser(id: "7")) } }
        try await stub.received(count: 2)
        let active = try #require(backend.meters.first { $0.label == "tarmac.client.active_calls" })
        #expect(active.lastValue == 2)
        stub.release()
        for call in calls { _ = try await call.value }
        #expect(active.lastValue == 0)
    }

    @Test func repeatsAreCountedByTheirReason() async throws {
        let rig = TelemetryRig(configure: { $0.retry = .exponential(maxAttempts: 3, base: .zero) }) { _ in .status(.serviceUnavailable) }
        await #expect(throws: TarmacError.self) { try await rig.client.send(GetUser(id: "7")) }
        let counter = try #require(rig.metrics.counters.first { $0.label == "tarmac.client.repeats" })
        #expect(counter.totalValue == 2 && counter.dimensions.contains { $0 == ("tarmac.reason", "retry") })
    }

    @Test func circuitThatOpensAndClosesIsAGaugeAndTheirNumberIsBounded() {
        let backend = TestMetrics(), rig = TelemetryRig()
        let metrics = CallMetrics(backend), calls = CountedCalls(rig.client.engine.scope)
        func note(_ event: TrafficEvent) {
            metrics.note(CallEvent(call: 1, endpoint: "e", service: "shop", attempt: 1, instant: .now, kind: .stage(event)), of: calls)
        }
        let origin = "https://[::1]:8443"
        for (event, value) in [(TrafficEvent.circuitOpened(host: origin, for: .seconds(5)), 1.0), (.circuitClosed(host: origin), 0)] {
            note(event)
            #expect(backend.meters.first?.label == "tarmac.client.open_circuits" && backend.meters.first?.lastValue == value)
        }
        #expect(backend.meters.count == 1)
        let dimensions = Dictionary(backend.meters.flatMap(\.dimensions)) { $1 }
        #expect(dimensions == ["tarmac.service": "shop", "server.address": "::1", "server.port": "8443"])
        for number in 0..<(RequestMetrics.limit + 10) { note(.circuitOpened(host: "https://h\(number).example:443", for: .seconds(5))) }
        #expect(backend.meters.count == RequestMetrics.limit)
    }

    @Test func theNumberOfPeersIsBoundedAndTheirConnectionsEndAtZero() throws {
        let backend = TestMetrics(), metrics = ConnectionMetrics(backend)
        let peers = (0..<(RequestMetrics.limit + 10)).map { ConnectionPeer(scheme: "https", host: "[::\($0)]", port: 443, version: "2") }
        for peer in peers { metrics.connection(to: peer, changed: nil, into: .active) }
        #expect(backend.meters.count == RequestMetrics.limit + 1 && backend.meters.allSatisfy { $0.dimensions.allSatisfy { !$0.1.isEmpty } })
        #expect(backend.meters.contains { $0.dimensions.contains { $0 == ("server.address", "::7") } })
        let overflow = try #require(backend.meters.first { $0.dimensions.contains { $0 == ("otel.metric.overflow", "true") } })
        #expect(overflow.lastValue == 10)
        for peer in peers { metrics.connection(to: peer, changed: .active, into: nil) }
        #expect(backend.meters.allSatisfy { $0.lastValue == 0 })
    }

    @Test func theNumberOfCombinationsIsBounded() throws {
        let backend = TestMetrics()
        let metrics = RequestMetrics(backend)
        for number in 0..<(RequestMetrics.limit + 10) {
            let facts = AttemptFacts(
                method: "GET", url: try HTTPURL("https://h\(number).example/"), shown: "", template: nil, resends: 0, knownMethods: ["GET"])
            metrics.begin(facts).decrement()
            metrics.record(.seconds(1), of: facts, withTemplate: false)
        }
        #expect(backend.timers.count == RequestMetrics.limit + 1 && backend.meters.count == RequestMetrics.limit + 1)
        let overflow = try #require(backend.timers.first { $0.dimensions.contains { $0 == ("otel.metric.overflow", "true") } })
        #expect(overflow.values.count == 10 && overflow.dimensions.count == 1)
    }
}

/// A factory that accepts one list of dimension names for each label, as the collectors of Prometheus do.
private struct StrictPrometheusMetrics: MetricsFactory {
    let names = Watched<[String: [String]]>([:])
    let refused = Watched<[String]>([])
    private let base = TestMetrics()

    private func check(_ label: String, _ dimensions: [(String, String)]) {
        let given = dimensions.map(\.0)
        let known = names.update { names in
            names[label] = names[label] ?? given
            return names[label]
        }
        if known != given { refused.update { $0.append("\(label): \(given)") } }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        check(label, dimensions)
        return base.makeCounter(label: label, dimensions: dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        check(label, dimensions)
        return base.makeMeter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        check(label, dimensions)
        return base.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        check(label, dimensions)
        return base.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) { base.destroyCounter(handler) }
    func destroyMeter(_ handler: any MeterHandler) { base.destroyMeter(handler) }
    func destroyRecorder(_ handler: any RecorderHandler) { base.destroyRecorder(handler) }
    func destroyTimer(_ handler: any TimerHandler) { base.destroyTimer(handler) }
}
#endif
