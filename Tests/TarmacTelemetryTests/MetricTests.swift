#if Tools
import CoreMetrics
import HTTPTypes
import MetricsTestKit
import TarmacResilience
import TarmacTesting
import Testing

@testable import TarmacCore
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
        let meter = try #require(rig.metrics.meters.first)
        #expect(meter.label == "http.client.active_requests" && meter.lastValue == 1)
        rig.stub.release()
        _ = try await call
        #expect(meter.lastValue == 0)
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
        let overflow = try #require(backend.timers.first { $0.dimensions.contains { $0.0 == "otel.metric.overflow" } })
        #expect(overflow.values.count == 10)
    }
}
#endif
