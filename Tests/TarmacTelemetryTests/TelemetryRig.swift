#if Tools
import CoreMetrics
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import TarmacCore
import TarmacTelemetry
import TarmacTesting
import Tracing

/// A client over a stub, with back ends in memory.
struct TelemetryRig {
    let logs = InMemoryLogHandler()
    let metrics = TestMetrics()
    let tracer = W3CTracer()
    let stub: StubTransport
    let client: Client
    let telemetry: Telemetry

    init(
        services: [TarmacCore.Service] = [.shop], concurrency: Int = 64, time: ManualTime = ManualTime(), configure: (inout Options) -> Void,
        answer: @escaping @Sendable (Request) throws -> Response = { _ in .text("hello") }
    ) {
        var logger = Logger(label: "test") { [logs] _ in logs }
        logger.logLevel = .trace
        telemetry = Telemetry(logger: logger, metrics: metrics, tracer: tracer)
        stub = StubTransport { request in try answer(request) }
        client = Client(transport: .stub(stub), services: services, concurrency: concurrency, time: time) { [telemetry] in
            $0.telemetry = telemetry
            configure(&$0)
        }
    }

    init(
        services: [TarmacCore.Service] = [.shop], time: ManualTime = ManualTime(),
        answer: @escaping @Sendable (Request) throws -> Response = { _ in .text("hello") }
    ) {
        self.init(services: services, time: time, configure: { _ in }, answer: answer)
    }

    var spans: [FinishedInMemorySpan] { tracer.base.finishedSpans }
    /// The spans of requests on the wire, in the order of their ends.
    var attempts: [FinishedInMemorySpan] { spans.filter { $0.kind == .client } }
    /// The spans of calls.
    var calls: [FinishedInMemorySpan] { spans.filter { $0.kind == .internal } }

    func meter(_ label: String) -> TestMeter? { metrics.meters.first { $0.label == label } }

    func dimensions(of timer: TestTimer) -> [String: String] { Dictionary(timer.dimensions) { $1 } }

    /// Everything that the back ends have received, as one text.
    var everything: String {
        let spans = spans.map { span in
            var text = "\(span.operationName) \(span.status.map { "\($0)" } ?? "") \(span.errors) \(span.events)"
            span.attributes.forEach { text += " \($0)=\($1)" }
            return text
        }
        let timers = metrics.timers.map { "\($0.label) \($0.dimensions)" } + metrics.meters.map { "\($0.label) \($0.dimensions)" }
        let lines = logs.entries.map { "\($0.level) \($0.message) \($0.metadata)" }
        return (spans + timers + lines).joined(separator: "\n")
    }
}

extension TarmacCore.Service {
    static let shop = TarmacCore.Service("shop", hosts: [.production: Hosts("https://shop.example", cdn: "https://cdn.shop.example")])
}

struct GetUser: Endpoint {
    typealias Value = String
    static let service = TarmacCore.Service.shop
    static let route: Route = .get("/users/{id}")
    var id: String
    func parameters() throws -> ParameterList { ["id": id] }
}

/// A tracer in memory that writes its context as W3C's Trace Context has it.
struct W3CTracer: Tracer {
    let base = InMemoryTracer()

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        base.startSpan(operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)/\(span.spanID)-01", forKey: "traceparent", into: &carrier)
        injector.inject("a=b", forKey: "tracestate", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {
        guard let parts = extractor.extract(key: "traceparent", from: carrier)?.dropFirst(3).dropLast(3).split(separator: "/"), parts.count == 2 else { return }
        context.inMemorySpanContext = InMemorySpanContext(traceID: String(parts[0]), spanID: String(parts[1]), parentSpanID: nil)
    }
}

extension FinishedInMemorySpan {
    func text(_ name: String) -> String? { if case .string(let text) = attributes[name]?.toSpanAttribute() { text } else { nil } }

    func number(_ name: String) -> Int64? {
        switch attributes[name]?.toSpanAttribute() {
        case .int64(let number): number
        case .int32(let number): Int64(number)
        default: nil
        }
    }

    var traceparent: String { "00-\(traceID)/\(spanID)-01" }
}
#endif
