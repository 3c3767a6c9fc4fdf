import Foundation
import HTTPTypes
import TarmacConnection
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange in a session. It receives the events of the system's task and ends exactly once.
///
/// The calls of the session arrive one after the other. An abort can arrive at any time and on any thread.
final class SessionTask: Sendable {
    let request: Request
    let exchange: Exchange
    private let canceller: TaskCanceller
    /// The queues of hosts, if the exchange needs a place among those of its host.
    private let hosts: HostQueues?
    /// Whether the first head may be the answer of a proxy to CONNECT.
    private let isTunnelled: Bool
    private let state = Locked(SessionTaskState())
    /// The last feed of the body. It is kept as long as the session knows the task: a stream that is released
    /// ends, and its end could pass for the end of the body.
    private let kept = Locked<(any BodyFeed)?>(nil)

    init(_ request: Request, exchange: Exchange, canceller: TaskCanceller, hosts: HostQueues? = nil, isTunnelled: Bool = false) {
        self.request = request
        self.exchange = exchange
        self.canceller = canceller
        self.hosts = hosts
        self.isTunnelled = isTunnelled
    }

    // MARK: The way out

    /// Returns the response. `start` makes the task for a body and resumes it.
    func land(_ start: @escaping @Sendable (RestingBody) -> Void) async throws -> Response {
        let response = try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            // The exchange releases this object when it ends.
            exchange.onAbort { [self] in end(.failure($0.error)) }
            guard !isOver else { return }
            if let body = RestingBody(request.body) { start(body) } else { spool(then: start) }
        }
        // The thread sanitizer understands locks, but not a continuation that is resumed before it is awaited.
        state.withLock { _ in }
        return response
    }

    private func spool(then start: @escaping @Sendable (RestingBody) -> Void) {
        guard case .stream(let stream) = request.body.content else { return }
        // LIFETIME: ends with the stream, or is cancelled when the exchange ends.
        let task = Task { [self] in
            do {
                let body = try await BodySpool.collect(stream, declared: request.body.length) { exchange.prepareBody() }
                if !isOver { start(body) }
            } catch {
                bodyFailed(error)
            }
        }
        if !state.withLock({ $0.adopt(task) }) { task.cancel() }
    }

    /// Stores the system's task. Returns `false` if the exchange is already over.
    ///
    /// - Parameter silence: is called before the end of the exchange if a time limit ended it and the server was silent.
    func boards(_ task: URLSessionTask, silence: @escaping @Sendable () -> Void) -> Bool { state.withLock { $0.board(task, silence) } }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Reports that the request is being sent. URLSession does not report when it is connected.
    func departs(with body: RestingBody) {
        exchange.report(body.length == 0 ? .sentAll : .sentHead)
    }

    func sent(_ count: Int64, total: Int64) {
        state.withLock { $0.sentBody = total }
        exchange.report(.sentBody(bytes: Int(count)))
        if total == carriedBody?.length { exchange.report(.sentAll) }
    }

    /// Keeps the body, because it may have to be sent again.
    func carries(_ body: RestingBody) {
        state.withLock { state in
            defer { state.body = body }
            return state.body
        }
    }

    var carriedBody: RestingBody? { state.withLock { $0.body } }

    /// Returns the answer to a session that asks for the stream of the body.
    func streamAnswer() -> (answer: StreamRequests.Answer, body: RestingBody?) {
        state.withLock { ($0.streamAnswer(isIdempotent: request.isIdempotent), $0.body) }
    }

    /// Stores the feed that writes the body to the session, and stops the previous one.
    func feeds(_ feed: any BodyFeed) {
        kept.withLock { kept in
            defer { kept = feed }
            return kept
        }
        state.withLock { $0.feed(by: feed) }?.stop()
    }

    /// Ends the exchange, because the request body cannot be read to its end.
    func bodyFailed(_ error: any Error) {
        end(.failure(BodyFailure.error(for: error)))
    }

    /// Ends the exchange. The request must not be sent again, because the server may have acted on it.
    func refuseResend() {
        end(.failure(TarmacError(.connectionLost, phase: .waiting, "the connection ended before the response")))
    }

    // MARK: The way back

    /// Accepts the head. Returns `false` if it breaks the protocol, so that the start of the next response is
    /// unknown.
    @discardableResult
    func received(_ response: HTTPURLResponse) -> Bool {
        if (100..<200).contains(response.statusCode), response.statusCode != 101 {
            exchange.report(.informational(status: response.statusCode))
            return true
        }
        if isTunnelled {
            state.withLock { $0.hold(response) }
            return true
        }
        return accept(response)
    }

    /// Accepts the head that was held, because the body or the end has come.
    private func acceptHeld() {
        if isTunnelled, let response = state.withLock({ $0.takeHeldHead() }) { accept(response) }
    }

    @discardableResult
    private func accept(_ response: HTTPURLResponse) -> Bool {
        do {
            let head = try ResponseHead(response, to: request)
            exchange.report(.receivedHead)
            if let length = head.bodyLength { exchange.report(.contentLength(length)) }
            try prepare(for: head)
            endEarly()
        } catch {
            end(.failure(error))
            return (error as? TarmacError)?.code != .malformedResponse
        }
        return true
    }

    /// Selects the destination of the body. A streamed response is returned here.
    private func prepare(for head: ResponseHead) throws {
        let sink = try makeSink(for: head)
        guard state.withLock({ $0.prepare(head, sink) }), case .streaming(let buffer) = sink else { return }
        land(head, .stream(BufferedByteSource.stream(over: buffer)))
    }

    private func makeSink(for head: ResponseHead) throws -> Sink {
        switch exchange.delivery {
        case .collected(let limit): .gathering(try makeGatherer(for: head, limit: limit))
        case .streamed: .streaming(makeBuffer())
        }
    }

    // A body with an announced length above the limit is not read.
    private func makeGatherer(for head: ResponseHead, limit: Int) throws(TarmacError) -> BodyGatherer {
        if let length = head.bodyLength, length > Int64(limit) { throw .bodyTooLarge(limit: limit) }
        return BodyGatherer(limit: limit, expected: head.bodyLength)
    }

    private func makeBuffer() -> StreamBuffer {
        let brake = Platform.makeBrake(for: state.withLock { $0.task })
        return StreamBuffer(brake: brake) { [self] in streamClosed() }
    }

    func received(_ data: Data) {
        acceptHeld()
        do {
            let step = try state.withLock { state throws(TarmacError) in try state.take(data) }
            if case .drop = step { return }
            exchange.report(.receivedBody(bytes: data.count))
            switch step {
            case .stream(let buffer): try buffer.append(Bytes(data))
            case .kept, .drop: break
            }
            endEarly()
        } catch {
            end(.failure(error))
        }
    }

    /// Ends the exchange if the response is complete and the request body is not. The server may not read the rest (RFC 9112
    /// §9.3, RFC 9113 §8.1), and the platform would wait for it.
    private func endEarly() {
        guard Platform.waitsForBody, state.withLock({ $0.isCompleteEarly }) else { return }
        guard state.withLock({ ($0.head?.status.code ?? 0) < 300 }) else { return finishEarly() }
        // After a success, the server may still read the body.
        // LIFETIME: ends with the body, or after a pause in which the server takes nothing.
        Task { [self] in
            while let sent = state.withLock({ $0.isCompleteEarly ? $0.sentBody : nil }) {
                try? await Task.sleep(for: Self.patience)
                if state.withLock({ $0.isCompleteEarly && $0.sentBody == sent }) { return finishEarly() }
            }
        }
    }

    /// The time in which a server that has sent a success takes some of the body, or its response is delivered without the rest.
    private static let patience = Duration.seconds(2)

    /// Returns the response with the bytes received so far, and cancels the task.
    func finishEarly() {
        acceptHeld()
        finish(with: nil)
    }

    /// Ends the exchange after the last call of the task.
    func completed(with error: (any Error)?, response: HTTPURLResponse?) {
        if error == nil { acceptHeld() }
        // Foundation on Linux withholds the head of a redirect without a usable Location until the end.
        if let response, error == nil, state.withLock({ $0.head == nil }) { accept(response) }
        state.withLock { $0.leave() }
        finish(with: error)
        leaveHost()
    }

    /// Frees the connection for the next exchange of the host.
    func leaveHost() { hosts?.finish(self) }

    private func finish(with error: (any Error)?) {
        let (head, sink, count, hasSent) = state.withLock { ($0.head, $0.sink, $0.received, $0.sentBody > 0) }
        if let error {
            let failure = SessionFailure(error).error(phase: exchange.phase, hasHead: head != nil, hasSent: hasSent, cause: error)
            return end(.failure(failure), isBreak: true)
        }
        guard let head, let sink else {
            return end(.failure(TarmacError(.malformedResponse, phase: .waiting, "the response has no head")))
        }
        if let truncation = head.truncation(received: count) { return end(.failure(truncation), isBreak: true) }
        switch sink {
        case .gathering(let gatherer): land(head, .bytes(gatherer.finish()))
        case .streaming(let buffer): buffer.finish()
        }
    }

    // MARK: The end

    private func land(_ head: ResponseHead, _ body: ResponseBody) {
        var response = Response(status: head.status, headers: head.headers, body: body, url: request.url)
        if head.isDecoded { response.isDecoded = true }
        end(.success(response))
    }

    /// Ends the exchange. Only the first end counts. The waiting caller continues at once, and the task is
    /// cancelled afterwards.
    ///
    /// - Parameter isBreak: whether the reader of a stream still receives the bytes from before the failure.
    func end(_ result: Result<Response, any Error>, isBreak: Bool = false) {
        guard let ending = state.withLock({ $0.end(result) }) else { return }
        if case .failure(let error) = result, case .streaming(let buffer) = ending.sink {
            if isBreak { buffer.finish(.failure(error)) } else { buffer.fail(error) }
        }
        settle(ending)
        ending.continuation?.resume(with: result)
    }

    /// Ends the exchange after the reader of a streamed response has read the end or has stopped.
    private func streamClosed() {
        guard let ending = state.withLock({ $0.closeStream() }) else { return }
        settle(ending)
    }

    private func settle(_ ending: SessionTaskState.Ending) {
        guard ending.isFinal else { return }
        hosts?.withdraw(self)
        ending.spooling?.cancel()
        ending.feed?.stop()
        if Platform.keepsDeadConnections, request.url.isSecure { ending.silence?() }
        if let task = ending.task { canceller.cancel(task) }
        exchange.report(.ended)
    }
}
