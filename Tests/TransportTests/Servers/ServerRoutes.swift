#if Tools
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import TarmacTesting

/// What a ``SecureServer`` answers. Without Tarmac in sight, whose words Hummingbird shares.
enum ServerRoutes {
    static func make(_ peers: Watched<[String]>, _ gate: Watched<Bool>) -> Router<PeerContext> {
        let router = Router(context: PeerContext.self)
        router.add(middleware: PeerRecorder(peers: peers))
        router.get("hello") { _, _ in "hello" }
        router.get("away") { request, _ in
            Response(status: .found, headers: [.location: request.uri.queryParameters["to"].map { String($0) } ?? ""])
        }
        router.get("held") { _, _ in
            try await gate.wait { $0 }
            return "held"
        }
        router.post("echo") { request, _ in Response(status: .ok, body: ResponseBody(asyncSequence: request.body)) }
        router.get("big") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let chunk = ByteBuffer(repeating: 98, count: 65_536)
                    for _ in 0..<256 { try await writer.write(chunk) }
                    try await writer.finish(nil)
                })
        }
        router.get("half") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "half"))
                    try await gate.wait { $0 }
                    throw CancellationError()
                })
        }
        router.get("trailers") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "body"))
                    try await writer.finish([.contentLanguage: "sum"])
                })
        }
        router.get("repeated") { _, _ in
            var headers = HTTPFields()
            headers.append(HTTPField(name: .setCookie, value: "a=1"))
            headers.append(HTTPField(name: .setCookie, value: "b=2"))
            return Response(status: .ok, headers: headers)
        }
        return router
    }
}

/// A context that knows which connection a request came on.
struct PeerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let peer: String

    init(source: Source) {
        coreContext = .init(source: source)
        // An HTTP/2 stream is a channel of its own; the connection is above it.
        let connection = source.channel.parent?.remoteAddress ?? source.channel.remoteAddress
        peer = connection.map { "\($0)" } ?? "unknown"
    }
}

struct PeerRecorder: RouterMiddleware {
    typealias Context = PeerContext
    let peers: Watched<[String]>

    func handle(
        _ request: Request, context: PeerContext,
        next: (Request, PeerContext) async throws -> Response
    ) async throws -> Response {
        peers.update { $0.append(context.peer) }
        return try await next(request, context)
    }
}
#endif
