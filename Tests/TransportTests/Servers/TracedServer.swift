#if Tools
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import TarmacTesting

/// A plain server that notes the trace of each request.
struct TracedServer: Sendable {
    let port: Int
    /// The field `traceparent` of each request, in order.
    let traces: Watched<[String?]>

    /// Runs a server for as long as the closure does.
    static func run<Value: Sendable>(_ body: @escaping @Sendable (TracedServer) async throws -> Value) async throws -> Value {
        let (traces, port) = (Watched<[String?]>([]), Watched<Int?>(nil))
        var logger = Logger(label: "TracedServer")
        logger.logLevel = .critical
        let application = Application(
            router: routes(traces), configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.update { $0 = channel.localAddress?.port } }, logger: logger)
        let service = ServiceGroup(configuration: .init(services: [application], logger: logger))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            let port = try await port.wait { $0 != nil } ?? 0
            let result: Result<Value, any Error>
            do { result = .success(try await body(TracedServer(port: port, traces: traces))) } catch { result = .failure(error) }
            await service.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }

    private static func routes(_ traces: Watched<[String?]>) -> Router<BasicRequestContext> {
        let router = Router()
        // The first request to /busy is refused.
        let refusals = Watched(0)
        @Sendable func note(_ request: Request) {
            let trace = HTTPField.Name("traceparent").flatMap { request.headers[$0] }
            traces.update { $0.append(trace) }
        }
        router.get("hello/:name") { request, _ in
            note(request)
            return "hello"
        }
        router.get("busy") { request, _ in
            note(request)
            let isFirst = refusals.update { count in
                count += 1
                return count == 1
            }
            return Response(status: isFirst ? .serviceUnavailable : .ok)
        }
        router.get("away") { request, _ in
            note(request)
            return Response(status: .found, headers: [.location: request.uri.queryParameters["to"].map { String($0) } ?? ""])
        }
        return router
    }
}
#endif
