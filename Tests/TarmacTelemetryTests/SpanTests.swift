#if Tools
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import MetricsTestKit
import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacResilience
import TarmacStreams
@testable import TarmacTelemetry
import TarmacTesting
import TarmacTraffic
import TarmacTransfer
import Testing
import Tracing

/// Notes the span that is current around each attempt.
private struct ContextReader: Interceptor {
    let seen: Watched<[String?]>
    func intercept(_ request: Request, chain: Chain) async throws -> Response {
        seen.update { $0.append(ServiceContext.current?.inMemorySpanContext?.spanID) }
        return try await chain.proceed(request)
    }
}

/// Sends the first request twice over the wire, and answers it with a failure.
private struct ResendingTransport: Transport {
    let answers: Watched<Int>
    var name: String { "resending" }
    var capabilities: TransportCapabilities { .everything }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let isFirst = answers.update { count in
            count += 1
            return count == 1
        }
        if isFirst { exchange.report(.resent) }
        exchange.report(.receivedHead)
        exchange.report(.ended)
        return isFirst ? .status(.serviceUnavailable) : .text("hello")
    }

    func shutdown() async {}
}

/// Spans by OpenTelemetry's conventions for HTTP clients.
@Suite("Spans of calls and of their requests")
struct SpanTests {
    @Test func aCallHasAnInternalSpanAndItsRequestAClientSpanWithin() async throws {
        let rig = TelemetryRig()
        _ = try await rig.client.send(GetUser(id: "7"))
        let call = try #require(rig.calls.first), attempt = try #require(rig.attempts.first)
        #expect(rig.spans.count == 2)
        #expect(attempt.parentSpanID == call.spanID && attempt.traceID == call.traceID)
        #expect(call.operationName == "GetUser" && call.text("tarmac.endpoint") == "GetUser" && call.text("tarmac.service") == "shop")
        #expect(call.number("tarmac.attempts") == 1 && call.number("http.response.status_code") == 200)
        #expect(attempt.operationName == "GET /users/{id}" && attempt.text("url.template") == "/users/{id}")
        #expect(attempt.text("http.request.method") == "GET")
        #expect(attempt.text("url.full") == "https://shop.example/users/7")
        #expect(attempt.text("server.address") == "shop.example" && attempt.number("server.port") == 443)
        #expect(attempt.number("http.response.status_code") == 200 && attempt.text("network.protocol.version") == "1.1")
        #expect(attempt.text("error.type") == nil && attempt.status == nil && call.status == nil)
        #expect(attempt.number("http.request.resend_count") == nil)
    }

    @Test func theSpanOfTheCallerIsTheParent() async throws {
        let rig = TelemetryRig()
        let outer = rig.tracer.startSpan("outer")
        _ = try await ServiceContext.$current.withValue(outer.context) { try await rig.client.send(GetUser(id: "7")) }
        #expect(rig.calls.map(\.parentSpanID) == [outer.spanID])
        #expect(rig.attempts.map(\.traceID) == [outer.traceID])
    }

    @Test func stagesBelowRunWithinTheSpanOfTheCall() async throws {
        let seen = Watched<[String?]>([])
        let rig = TelemetryRig(configure: { $0.attemptInterceptors = [ContextReader(seen: seen)] })
        _ = try await rig.client.send(GetUser(id: "7"))
        #expect(seen.value == [rig.calls.first?.spanID])
    }

    @Test func aHedgeRunsWithinTheSpanOfItsCall() async throws {
        let seen = Watched<[String?]>([]), time = ManualTime()
        let rig = TelemetryRig(
            time: time,
            configure: {
                $0.hedge = .after(.milliseconds(300))
                $0.attemptInterceptors = [ContextReader(seen: seen)]
            })
        let outer = rig.tracer.startSpan("outer")
        rig.stub.hold()
        let call = Task { [client = rig.client] in
            try await ServiceContext.$current.withValue(outer.context) { try await client.send(GetUser(id: "7")) }
        }
        try await rig.stub.received(count: 1)
        // The other time limits of the call are longer.
        await eventually { time.nextDeadline.map({ $0 <= .milliseconds(300) }) ?? false }
        time.advance(by: .milliseconds(300))
        try await rig.stub.received(count: 2)
        rig.stub.release()
        _ = try await call.value
        await eventually { rig.attempts.count >= 2 }
        let span = try #require(rig.calls.first)
        #expect(span.parentSpanID == outer.spanID && seen.value == [span.spanID, span.spanID])
        #expect(rig.attempts.map(\.parentSpanID) == [span.spanID, span.spanID])
        let sent = rig.stub.requests.map { $0.headers[.init("traceparent")!] }
        #expect(Set(sent) == Set(rig.attempts.map { $0.traceparent }))
    }

    @Test func repeatsCountFromTheSecondRequest() async throws {
        let answers = Watched(0)
        let rig = TelemetryRig(configure: { $0.retry = .exponential(maxAttempts: 3, base: .zero) }) { _ in
            answers.update { $0 += 1 }
            return answers.value < 3 ? .status(.serviceUnavailable) : .text("hello")
        }
        _ = try await rig.client.send(GetUser(id: "7"))
        #expect(rig.attempts.map { $0.number("http.request.resend_count") } == [nil, 1, 2])
        #expect(rig.attempts.map { $0.text("error.type") } == ["503", "503", nil])
        #expect(rig.attempts.map { $0.status?.code } == [.error, .error, nil])
        #expect(rig.calls.map { $0.number("tarmac.attempts") } == [3] && rig.calls.first?.status == nil)
    }

    @Test func aRequestThatATransportSentAgainByItselfCounts() async throws {
        let rig = TelemetryRig(), answers = Watched(0)
        let factory = TransportFactory(name: "resending") { _ in ResendingTransport(answers: answers) }
        let client = Client(transport: factory, services: [.shop]) {
            $0.telemetry = rig.telemetry
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
        }
        #expect(try await client.send(GetUser(id: "7")) == "hello")
        #expect(rig.attempts.map { $0.number("http.request.resend_count") } == [nil, 2])
    }

    @Test func aFailureNamesItsCode() async throws {
        let rig = TelemetryRig { _ in throw TarmacError(.cannotFindHost, phase: .connecting, "no such host") }
        await #expect(throws: TarmacError.self) { try await rig.client.send(GetUser(id: "7")) }
        for span in rig.spans {
            #expect(span.text("error.type") == "cannotFindHost" && span.status?.code == .error)
            #expect(span.number("http.response.status_code") == nil)
        }
        #expect(rig.spans.count == 2)
    }

    @Test func aResponseThatCannotBeDecodedFailsTheCallAndNotTheRequest() async throws {
        struct User: Decodable, Sendable { let name: String }
        let rig = TelemetryRig { _ in .json("{}") }
        await #expect(throws: TarmacError.self) { try await rig.client.get("/users/{id}", ["id": 7], as: User.self) }
        #expect(rig.attempts.first?.status == nil)
        #expect(rig.calls.first?.text("error.type") == "decodingFailed" && rig.calls.first?.status?.code == .error)
    }

    @Test func aCancelledCallEndsItsSpans() async throws {
        let rig = TelemetryRig()
        rig.stub.hold()
        let call = Task { [client = rig.client] in try await client.send(GetUser(id: "7")) }
        try await rig.stub.received(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(rig.spans.map { $0.text("error.type") } == ["cancelled", "cancelled"])
        #expect(rig.tracer.base.activeSpans.isEmpty)
    }

    @Test func anUnknownMethodIsOther() async throws {
        let rig = TelemetryRig()
        _ = try await rig.client.send(raw: Request(.init("PURGE")!, HTTPURL("https://shop.example/")), service: .shop)
        let attempt = try #require(rig.attempts.first)
        #expect(attempt.operationName == "HTTP" && attempt.text("http.request.method") == "_OTHER")
        #expect(attempt.text("http.request.method_original") == "PURGE")
    }

    @Test(
        arguments: [
            ("GetUser", "/users/{id}", "/users/{id}"), ("GetUser", "/users", "/users"), ("GET /users/{id}", "/users/{id}", "/users/{id}"),
            ("GET /users/17", "/users/17", nil), ("raw GET", nil, nil),
        ] as [(String, String?, String?)])
    func aPathThatMayHoldValuesIsNoTemplate(endpoint: String, template: String?, expected: String?) {
        #expect(CallTarget(endpoint: endpoint, template: template).template == expected)
    }

    @Test func anInlineCallWithItsValuesInThePathIsNamedByItsMethod() async throws {
        let rig = TelemetryRig()
        try await rig.client.get("/users/17")
        #expect(rig.spans.map(\.operationName) == ["GET", "GET"])
        #expect(rig.spans.allSatisfy { $0.text("url.template") == nil && $0.text("tarmac.endpoint") == nil })
    }

    @Test func anAnswerOfTheCacheHasNoClientSpan() async throws {
        let rig = TelemetryRig(configure: { $0.cache = .ttl(.seconds(60)) })
        for _ in 0..<2 { _ = try await rig.client.send(GetUser(id: "7")) }
        #expect(rig.attempts.count == 1 && rig.calls.count == 2)
        #expect(rig.calls.map { $0.text("tarmac.cache") } == [nil, "hit"])
    }

    @Test func aStreamsSpanEndsWithItsBody() async throws {
        let rig = TelemetryRig { _ in .chunks(["a", "b"]) }
        try await rig.client.stream(GetUser(id: "7")) { response in
            #expect(rig.attempts.isEmpty)
            for try await _ in response.body {}
            #expect(rig.attempts.count == 1 && rig.calls.isEmpty)
        }
        let attempt = try #require(rig.attempts.first)
        #expect(attempt.number("http.response.status_code") == 200 && attempt.text("error.type") == nil && attempt.status == nil)
        #expect(rig.attempts.count == 1 && rig.calls.count == 1)
    }

    @Test func aBodyThatBreaksOffFailsTheRequestAndKeepsItsStatus() async throws {
        let file = StubFile(Array(repeating: 1, count: 2_000))
        file.breakOff(after: [1_000])
        let rig = TelemetryRig { file.answer($0) }
        await #expect(throws: TarmacError.self) {
            try await rig.client.stream(GetUser(id: "7")) { response in
                for try await _ in response.body {}
            }
        }
        let attempt = try #require(rig.attempts.first)
        #expect(attempt.text("error.type") == "connectionLost" && attempt.status?.code == .error)
        #expect(attempt.number("http.response.status_code") == 200)
    }

    @Test(arguments: [true, false])
    func aBodyThatItsReaderLeavesEndsTheSpanWithoutAnError(isBegun: Bool) async throws {
        let rig = TelemetryRig { _ in .chunks(["a", "b"]) }
        try await rig.client.stream(GetUser(id: "7")) { response in
            if isBegun { for try await _ in response.body { break } }
        }
        #expect(rig.attempts.map { $0.text("error.type") } == [nil] && rig.tracer.base.activeSpans.isEmpty)
    }

    @Test func eachRangeOfADownloadIsARequestOfItsOwn() async throws {
        let file = StubFile(Array(repeating: 1, count: 4_000))
        let rig = TelemetryRig(configure: { $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (2, 1_000) } }) { file.answer($0) }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await rig.client.send(Download(GetUser(id: "7"), to: path))
        #expect(rig.attempts.count == rig.stub.requests.count && rig.attempts.count > 1)
        #expect(rig.attempts.allSatisfy { $0.number("http.request.resend_count") == nil })
        #expect(rig.calls.map { $0.number("tarmac.attempts") } == [Int64(rig.attempts.count)])
    }

    @Test func aCallThatCannotBeBuiltHasASpan() async throws {
        struct Unbuilt: Endpoint {
            typealias Value = Void
            static let service = TarmacCore.Service.shop
            static let route: Route = .get("/users/{id}")
            func parameters() throws -> ParameterList { throw TarmacError(.invalidOption, "no user") }
        }
        let rig = TelemetryRig(), outer = rig.tracer.startSpan("outer")
        await #expect(throws: TarmacError.self) {
            try await ServiceContext.$current.withValue(outer.context) { try await rig.client.send(Unbuilt()) }
        }
        let call = try #require(rig.calls.first)
        #expect(rig.spans.count == 1 && rig.stub.requests.isEmpty)
        #expect(call.operationName == "Unbuilt" && call.text("tarmac.endpoint") == "Unbuilt" && call.text("tarmac.service") == "shop")
        #expect(call.parentSpanID == outer.spanID && call.text("error.type") == "invalidOption" && call.status?.code == .error)
        #expect(call.number("tarmac.attempts") == 0)
    }

    @Test func aCallThatAnInterceptorAnswersHasASpan() async throws {
        struct Answering: Interceptor {
            func intercept(_ request: Request, chain: Chain) async throws -> Response { .text("hello") }
        }
        let rig = TelemetryRig(configure: { $0.interceptors = [Answering()] })
        #expect(try await rig.client.send(GetUser(id: "7")) == "hello")
        #expect(rig.spans.map(\.operationName) == ["GetUser"] && rig.calls.first?.number("http.response.status_code") == 200)
    }

    @Test func aSpanThatBeginsAfterItsCallHasEndedIsNotKept() throws {
        let rig = TelemetryRig(), spans = try rig.client.engine.runtime(.shop).scope.client.state(OpenSpans.self)
        #expect(spans.span(of: 70) { rig.tracer.startSpan("begun") }.isLate == false)
        #expect(spans.open(70) != nil)
        let first = spans.close(70), again = spans.close(70)
        #expect(first.span != nil && first.isFirst && again.span == nil && !again.isFirst)
        #expect(spans.span(of: 70) { rig.tracer.startSpan("late") }.isLate)
        #expect(spans.open(70) == nil)
    }

    @Test func endedCallsAreRememberedInABoundedNumber() throws {
        let rig = TelemetryRig(), spans = try rig.client.engine.runtime(.shop).scope.client.state(OpenSpans.self)
        for call in 0...UInt64(OpenSpans.remembered) { _ = spans.close(call) }
        #expect(spans.span(of: 1) { rig.tracer.startSpan("late") }.isLate)
        #expect(spans.span(of: 0) { rig.tracer.startSpan("forgotten") }.isLate == false)
    }

    @Test func withoutTelemetryNoStageIsSeated() throws {
        func stages(_ configure: (inout Options) -> Void) throws -> [String] {
            let client = Client(transport: .stub { _ in .text("") }, services: [.shop], configure: configure)
            return try client.engine.runtime(.shop).options.plan.stages.map { "\(type(of: $0))" }
        }
        let plain = try stages { _ in }
        #expect(try stages { $0.telemetry = .off } == plain)
        #expect(try stages { $0.telemetry = Telemetry() } == plain)
        let traced = try stages { $0.telemetry = Telemetry(tracer: W3CTracer()) }
        #expect(traced.filter { !plain.contains($0) } == ["CallSpanInterceptor", "RestoredTraceInterceptor", "AttemptSpanInterceptor"])
    }

    @Test func aCallCanBeSilent() async throws {
        let rig = TelemetryRig()
        _ = try await rig.client.send(GetUser(id: "7")) { $0.telemetry = .off }
        #expect(rig.spans.isEmpty && rig.logs.entries.isEmpty && rig.metrics.timers.isEmpty)
    }
}
#endif
