#if Tools
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import TarmacCore
import TarmacOutbox
import TarmacResilience
import TarmacTelemetry
import TarmacTesting
import Testing
import Tracing

@MainActor
private final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    var landed = 0
}

/// Where a trace goes: to the service's own origins, and along with calls that run elsewhere than they are made.
@Suite("Traces across processes and tasks")
struct TraceTests {
    private static let traceparent = HTTPField.Name("traceparent")!
    private static let tracestate = HTTPField.Name("tracestate")!

    private func sent(_ rig: TelemetryRig) -> [String?] { rig.stub.requests.map { $0.headers[Self.traceparent] } }

    @Test func theServiceGetsTheTraceOfEachRequest() async throws {
        let rig = TelemetryRig()
        _ = try await rig.client.send(GetUser(id: "7"))
        _ = try await rig.client.send(GetUser(id: "8")) { $0.host = .cdn }
        #expect(rig.attempts.count == 2)
        #expect(sent(rig) == rig.attempts.map(\.traceparent))
    }

    @Test func aForeignOriginGetsNone() async throws {
        let rig = TelemetryRig()
        try await rig.client.get("https://other.example/")
        #expect(sent(rig) == [nil] && rig.attempts.count == 1)
    }

    @Test func aRedirectToAForeignOriginLosesTheTrace() async throws {
        let rig = TelemetryRig { request in
            request.url.host == "shop.example" ? .redirect(to: "https://other.example/there") : .text("hello")
        }
        // Also the fields that the call itself brings.
        _ = try await rig.client.send(GetUser(id: "7")) {
            $0.headers["traceparent"] = "00-given/given-01"
            $0.headers["tracestate"] = "mine=1"
        }
        #expect(sent(rig) == [rig.attempts.first?.traceparent, nil])
        #expect(rig.stub.requests.map { $0.headers[Self.tracestate] } == ["a=b", nil])
        #expect(rig.attempts.map { $0.number("http.request.resend_count") } == [nil, 1])
        #expect(rig.attempts.map { $0.text("server.address") } == ["shop.example", "other.example"])
    }

    @Test func aRedirectWithinTheServiceKeepsTheTrace() async throws {
        let rig = TelemetryRig { request in request.url.path == "/users/7" ? .redirect(to: "/users/8") : .text("hello") }
        _ = try await rig.client.send(GetUser(id: "7"))
        #expect(sent(rig) == rig.attempts.map(\.traceparent) && rig.attempts.count == 2)
    }

    @MainActor @Test func anOwnersCallKeepsTheTraceInWhichItWasMade() async throws {
        let rig = TelemetryRig(), screen = Screen()
        let outer = rig.tracer.startSpan("outer")
        await withCheckedContinuation { continuation in
            ServiceContext.$current.withValue(outer.context) {
                _ = rig.client.start(GetUser(id: "7"), owner: screen) { _, _ in continuation.resume() }
            }
        }
        #expect(rig.calls.map(\.parentSpanID) == [outer.spanID])
    }

    @MainActor @Test func ownedWorkKeepsTheTraceInWhichItWasMade() async throws {
        let rig = TelemetryRig(), screen = Screen()
        let outer = rig.tracer.startSpan("outer")
        await withCheckedContinuation { continuation in
            ServiceContext.$current.withValue(outer.context) {
                _ = rig.client.start(
                    ClientWork {
                        try await $0.send(GetUser(id: "7"))
                    }, owner: screen
                ) { _, _ in
                    continuation.resume()
                }
            }
        }
        #expect(rig.calls.map(\.parentSpanID) == [outer.spanID])
    }

    @MainActor @Test func aDebouncedCallKeepsTheTraceInWhichItWasMade() async throws {
        let time = ManualTime(), rig = TelemetryRig(time: time), screen = Screen(), slot = CallSlot(.debounce(.milliseconds(300)))
        let outer = rig.tracer.startSpan("outer")
        await withCheckedContinuation { continuation in
            _ = ServiceContext.$current.withValue(outer.context) {
                slot.start(GetUser(id: "7"), on: rig.client, owner: screen, landed: { _, _ in continuation.resume() })
            }
            // Without a trace of its own.
            Task.detached {
                try await time.hasSleepers()
                time.advance(by: .milliseconds(300))
            }
        }
        #expect(rig.calls.map(\.parentSpanID) == [outer.spanID])
    }

    @MainActor @Test func aCallThatWaitsInASlotHasTheTraceThatItsSettingsName() async throws {
        let rig = TelemetryRig(), screen = Screen(), slot = CallSlot(.queue)
        let first = rig.tracer.startSpan("first").context, second = rig.tracer.startSpan("second").context
        await withCheckedContinuation { continuation in
            for (id, trace) in [("1", first), ("2", second)] {
                slot.start(GetUser(id: id), on: rig.client, owner: screen) {
                    $0.trace = trace
                } landed: { owner, _ in
                    owner.landed += 1
                    if owner.landed == 2 { continuation.resume() }
                }
            }
        }
        #expect(rig.calls.map(\.parentSpanID) == [first, second].map { $0.inMemorySpanContext?.spanID })
    }

    @Test func aStoredCallIsSentWithinTheTraceInWhichItWasMade() async throws {
        struct Save: Endpoint {
            typealias Value = Void
            static let service = TarmacCore.Service.shop
            static let route: Route = .put("/notes/1")
        }
        let rig = TelemetryRig()
        let outbox = try Outbox(client: rig.client, store: MemoryOutboxStore())
        let outer = rig.tracer.startSpan("outer")
        try await ServiceContext.$current.withValue(outer.context) {
            _ = try await outbox.enqueue(Save()) { $0.storeTrace(with: rig.telemetry) }
        }
        outbox.start()
        await outbox.waitUntilIdle()
        await outbox.shutdown()
        #expect(rig.calls.map(\.parentSpanID) == [outer.spanID])
        #expect(sent(rig) == rig.attempts.map(\.traceparent))
    }

    @Test func callsThatShareARequestHaveOneClientSpan() async throws {
        let rig = TelemetryRig(configure: { $0.coalesces = true })
        rig.stub.hold()
        async let one = rig.client.send(GetUser(id: "7"))
        try await rig.stub.received(count: 1)
        async let other = rig.client.send(GetUser(id: "7"))
        await eventually { rig.tracer.base.activeSpans.count >= 3 }
        rig.stub.release()
        _ = try await (one, other)
        #expect(rig.attempts.count == 1 && rig.calls.count == 2)
        #expect(rig.metrics.timers.map(\.values.count) == [1])
    }
}
#endif
