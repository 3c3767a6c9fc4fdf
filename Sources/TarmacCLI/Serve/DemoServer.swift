#if Tools
import FlyingFox
import FlyingSocks
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// The demo server: ``DemoRoutes`` over FlyingFox, on loopback.
final class DemoServer: Sendable {
    let port: UInt16
    private let server: HTTPServer
    private let running: Task<Void, any Error>
    private let log: DemoLog

    var url: String { "http://127.0.0.1:\(port)" }

    /// Listens on `port`, or on a free one when it is 0.
    ///
    /// - Parameter log: counts the requests.
    init(port: UInt16, log: DemoLog = DemoLog()) async throws {
        self.log = log
        let server = HTTPServer(
            address: try sockaddr_in.inet(ip4: "127.0.0.1", port: port), timeout: 120, logger: .disabled,
            handler: ClosureHTTPHandler { try await Self.handle($0, log) })
        let (starts, start) = AsyncStream.makeStream(of: (any Error)?.self)
        // LIFETIME: `stop` ends it.
        running = Task {
            do { try await server.run() } catch {
                start.yield(error)
                throw error
            }
        }
        // LIFETIME: ends when the server listens, or after the minute it has for it; a port that is taken is told at once.
        Task { start.yield(await Self.failureToListen(server)) }
        self.server = server
        self.port = try await Self.port(server, starts)
    }

    /// How often a path was asked.
    func requests(to path: String) -> Int { log.count(path) }

    /// Serves until the task is cancelled, which is its normal end.
    func serve() async throws {
        do {
            try await withTaskCancellationHandler {
                try await running.value
            } onCancel: {
                running.cancel()
            }
        } catch  where Task.isCancelled {}
    }

    func stop() async {
        await server.stop()
        running.cancel()
    }

    private static func failureToListen(_ server: HTTPServer) async -> (any Error)? {
        do { try await server.waitUntilListening(timeout: 60) } catch { return error }
        return nil
    }

    /// Whichever comes first: it listens, or it has failed to.
    private static func port(_ server: HTTPServer, _ starts: AsyncStream<(any Error)?>) async throws -> UInt16 {
        for await failure in starts {
            if let failure { throw failure }
            break
        }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw TarmacError(.invalidOption, "the demo server does not listen", suggestion: "try another --port")
        }
        return port
    }

    // MARK: Requests

    private static func handle(_ request: FlyingFox.HTTPRequest, _ log: DemoLog) async throws -> FlyingFox.HTTPResponse {
        log.note(request.path)
        let answer = DemoRoutes.answer(try await demo(request))
        if answer.delay > .zero { try await Task.sleep(for: answer.delay) }
        return response(answer, isHead: request.method == .HEAD)
    }

    private static func demo(_ request: FlyingFox.HTTPRequest) async throws -> DemoRequest {
        DemoRequest(
            method: request.method.rawValue, path: request.path, query: request.query.map { ($0.name, $0.value) },
            headers: request.headers.map { ($0.key.rawValue, $0.value) }, body: [UInt8](try await request.bodyData))
    }

    private static func response(_ answer: DemoAnswer, isHead: Bool) -> FlyingFox.HTTPResponse {
        var headers = HTTPHeaders()
        for field in answer.headers { headers.addValue(field.value, for: HTTPHeader(field.name)) }
        let body = body(answer.content)
        // RFC 9110 §9.3.2: a response to HEAD tells the length that GET would have.
        if isHead, let count = body.count { headers[.contentLength] = String(count) }
        return HTTPResponse(
            statusCode: HTTPStatusCode(answer.status, phrase: ""), headers: headers, body: isHead ? HTTPBodySequence() : body)
    }

    private static func body(_ content: DemoAnswer.Content) -> HTTPBodySequence {
        switch content {
        case .bytes(let bytes): HTTPBodySequence(data: Data(bytes))
        case .pattern(let range, let breaksAfter):
            HTTPBodySequence(from: DemoBytes.pattern(range, breaksAfter: breaksAfter), count: range.count, suggestedBufferSize: 65_536)
        case .lines(let count, let interval): HTTPBodySequence(from: DemoBytes.lines(count, interval), suggestedBufferSize: 65_536)
        case .events(let numbers, let count, let interval):
            HTTPBodySequence(from: DemoBytes.events(numbers, of: count, interval), suggestedBufferSize: 65_536)
        }
    }
}

/// How often each path was asked.
final class DemoLog: Sendable {
    private let counts = Locked<[String: Int]>([:])

    func note(_ path: String) { counts.withLock { $0[path, default: 0] += 1 } }
    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }
}
#endif
