#if Tools
import HTTPTypes
import Hummingbird
import HummingbirdCore
import InMemoryTracing
import Logging
import NIOCore
import ServiceLifecycle
import TarmacCore
import TarmacTelemetry
import TarmacTesting
import Tracing

/// A plain server that notes the trace of each request, and has a span of its own for it.
struct TracedServer: Sendable {
    let port: Int
    /// The field `traceparent` of each request, in order.
    let traces: Watched<[String?]>

    /// Runs a server for as long as the closure does.
    ///
    /// - Parameter release: holds the answers of `/held` until it is true.
    static func run<Value: Sendable>(
        tracer: TraceparentTracer, release: Watched<Bool> = Watched(true), _ body: @escaping @Sendable (TracedServer) async throws -> Value
    ) async throws -> Value {
        try await run(TracedRoutes(tracer: tracer, release: release), client: nil) { server, _ in try await body(server) }
    }

    /// Runs a server that calls others through a client, and the client, in one group.
    static func run<Value: Sendable>(
        tracer: TraceparentTracer, client: Client, _ body: @escaping @Sendable (TracedServer, ServiceGroup) async throws -> Value
    ) async throws -> Value {
        try await run(TracedRoutes(tracer: tracer, client: client), client: client, body)
    }

    private static func run<Value: Sendable>(
        _ routes: TracedRoutes, client: Client?, _ body: @escaping @Sendable (TracedServer, ServiceGroup) async throws -> Value
    ) async throws -> Value {
        let port = Watched<Int?>(nil)
        var logger = Logger(label: "TracedServer")
        logger.logLevel = .critical
        let application = Application(
            router: routes.router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.update { $0 = channel.localAddress?.port } }, logger: logger)
        let own: [any ServiceLifecycle.Service] = client.map { [ClientService($0)] } ?? []
        let service = ServiceGroup(configuration: .init(services: own + [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let server = TracedServer(port: try await port.wait { $0 != nil } ?? 0, traces: routes.traces)
            let result: Result<Value, any Error>
            do { result = .success(try await body(server, service)) } catch { result = .failure(error) }
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }
}

private struct TracedRoutes: Sendable {
    let tracer: TraceparentTracer
    var client: Client?
    var release = Watched(true)
    let traces = Watched<[String?]>([])

    var router: Router<BasicRequestContext> {
        let router = Router()
        // The first request to /busy is refused.
        let refusals = Watched(0)
        router.get("hello/:name") { request, _ in await serve(request) { "hello" } }
        router.get("held") { [release] request, _ in
            await serve(request) {
                _ = try? await release.wait { $0 }
                return "hello"
            }
        }
        router.get("busy") { request, _ in
            await serve(request) {
                let isFirst = refusals.update { count in
                    count += 1
                    return count == 1
                }
                return Response(status: isFirst ? .serviceUnavailable : .ok)
            }
        }
        router.get("away") { request, _ in
            await serve(request) { Response(status: .found, headers: [.location: request.uri.queryParameters["to"].map { String($0) } ?? ""]) }
        }
        // Passes the request on to another server.
        router.get("through/:path") { [client] request, context in
            await serve(request) {
                let path = context.parameters.get("path") ?? ""
                let answer = try? await client?.get("/{path}", ["path": path], as: String.self)
                return Response(status: answer == nil ? .badGateway : .ok, body: .init(byteBuffer: ByteBuffer(string: answer ?? "")))
            }
        }
        return router
    }

    /// Answers within a span whose parent is the one that the request names.
    private func serve<Answer>(_ request: Hummingbird.Request, _ answer: () async -> Answer) async -> Answer {
        let trace = HTTPField.Name("traceparent").flatMap { request.headers[$0] }
        traces.update { $0.append(trace) }
        var context = ServiceContext.topLevel
        tracer.extract(request.headers, into: &context, using: HeaderExtractor())
        let span = tracer.startSpan("served", context: context, ofKind: .server)
        defer { span.end() }
        return await ServiceContext.$current.withValue(span.context) { await answer() }
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { HTTPField.Name(key).flatMap { carrier[$0] } }
}
#endif
