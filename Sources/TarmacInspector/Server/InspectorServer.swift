#if Inspector
import FlyingFox
import FlyingSocks
import Foundation
import TarmacCore

/// The routes over FlyingFox.
final class InspectorServer: Sendable {
    let port: UInt16
    private let server: HTTPServer
    private let running: Task<Void, any Error>
    /// The longest time that an answer may take, in seconds. Actions end before it with a reason.
    private static let longestAction = 120.0

    /// - Parameter handle: the answer to a request. It gets the port, which a `Host` field names.
    init(
        port: UInt16, isPublic: Bool, _ handle: @escaping @Sendable (_ request: InspectorRequest, _ port: Int, _ body: BodyReader) async -> Answer
    ) async throws {
        let address = try sockaddr_in.inet(ip4: isPublic ? "0.0.0.0" : "127.0.0.1", port: port)
        let chosen = ChosenPort()
        // What is longer is never read, so that no more of a body is in memory.
        let configuration = HTTPServer.Configuration(
            address: address, timeout: Self.longestAction, sharedRequestReplaySize: Gate.largestBody,
            pool: BoundedSocketPool(HTTPServer.defaultPool()), logger: .disabled)
        let server = HTTPServer(
            config: configuration,
            handler: ClosureHTTPHandler { received in
                let answer = await handle(Self.request(received), chosen.value) { try await [UInt8](received.bodyData) }
                return Self.response(answer, isHead: received.method == .HEAD)
            })
        let (starts, start) = AsyncStream.makeStream(of: (any Error)?.self)
        // LIFETIME: `stop` ends it, or `deinit`.
        let running = Task {
            do { try await server.run() } catch {
                start.yield(error)
                throw error
            }
        }
        // LIFETIME: ends when the server listens, or after the minute it has for it.
        Task { start.yield(await Self.failureToListen(server)) }
        (self.server, self.running) = (server, running)
        do {
            // Whichever comes first: it listens, or it has failed to.
            for await failure in starts {
                if let failure { throw failure }
                break
            }
            try Task.checkCancellation()
            guard case .ip4(_, let port)? = await server.listeningAddress else { throw SocketError.disconnected }
            self.port = port
            chosen.set(Int(port))
        } catch {
            running.cancel()
            if Task.isCancelled { throw CancellationError() }
            throw TarmacError(.invalidOption, "the inspector cannot listen on port \(port)", suggestion: "port 0 takes a free one", cause: error)
        }
    }

    typealias BodyReader = @Sendable () async throws -> [UInt8]

    deinit { running.cancel() }

    /// Closes all connections, and returns when they are closed.
    func stop() async {
        await server.stop()
        running.cancel()
        _ = try? await running.value
    }

    private static func failureToListen(_ server: HTTPServer) async -> (any Error)? {
        do { try await server.waitUntilListening(timeout: 60) } catch { return error }
        return nil
    }

    private static func request(_ received: HTTPRequest) -> InspectorRequest {
        InspectorRequest(
            received.method.rawValue, received.path, query: received.query.map { ($0.name, $0.value) },
            headers: received.headers.map { ($0.key.rawValue, $0.value) })
    }

    /// A response to HEAD, which is always a refusal, has no body (RFC 9110 §9.3.2).
    private static func response(_ answer: Answer, isHead: Bool) -> HTTPResponse {
        var headers = HTTPHeaders()
        for (name, value) in answer.headers { headers[HTTPHeader(name)] = value }
        let body =
            switch answer.content {
            case .bytes(let bytes) where answer.isLast:
                HTTPBodySequence(from: FinalBytes(bytes: isHead ? [] : bytes), count: isHead ? 0 : bytes.count, suggestedBufferSize: 65_536)
            case .bytes where isHead: HTTPBodySequence()
            case .bytes(let bytes): HTTPBodySequence(data: Data(bytes), suggestedBufferSize: 65_536)
            case .events(let stream): HTTPBodySequence(from: stream, suggestedBufferSize: 65_536)
            }
        return HTTPResponse(statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: body)
    }
}
#endif
