import Foundation
import HTTPTypes
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange on its way through a session: it hears what the task does, and lands exactly once.
///
/// The session's calls come one after the other; an abort comes from any thread, at any time.
final class SessionTask: Sendable {
    let request: Request
    let exchange: Exchange
    private let canceller: TaskCanceller
    private let state = Locked(SessionTaskState())
    /// The last feed of the body. It is kept for as long as the session knows this task: a stream that is dropped ends, and its
    /// end could pass for the end of the body.
    private let kept = Locked<(any BodyFeed)?>(nil)

    init(_ request: Request, exchange: Exchange, canceller: TaskCanceller) {
        self.request = request
        self.exchange = exchange
        self.canceller = canceller
    }

    // MARK: The way out

    /// Waits for the response; `start` makes the task for a body at rest and resumes it.
    func land(_ start: @escaping @Sendable (RestingBody) -> Void) async throws -> Response {
        let response = try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            // The exchange lets go of the flight when it ends.
            exchange.onAbort { [self] in end(.failure($0.error)) }
            guard !isOver else { return }
            if let body = RestingBody(request.body) { start(body) } else { spool(then: start) }
        }
        // The thread sanitizer sees locks, but not how a continuation hands over that is resumed before it is awaited.
        state.withLock { _ in }
        return response
    }

    private func spool(then start: @escaping @Sendable (RestingBody) -> Void) {
        guard case .stream(let stream) = request.body.content else { return }
        // LIFETIME: ends with the stream, or is cancelled by the end of the flight.
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

    /// Takes the task on; `false` when the flight is over before it has begun.
    func boards(_ task: URLSessionTask) -> Bool { state.withLock { $0.board(task) } }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Tells the exchange that the request leaves. URLSession does not say when it is connected.
    func departs(with body: RestingBody) {
        exchange.report(body.length == 0 ? .sentAll : .sentHead)
    }

    func sent(_ count: Int64, total: Int64) {
        exchange.report(.sentBody(bytes: Int(count)))
        if total == carriedBody?.length { exchange.report(.sentAll) }
    }

    /// Keeps the body, in case it has to be sent again.
    func carries(_ body: RestingBody) { state.withLock { $0.body = body } }

    var carriedBody: RestingBody? { state.withLock { $0.body } }

    /// What the session gets that asks for the stream of the body.
    func streamAnswer() -> (answer: StreamRequests.Answer, body: RestingBody?) {
        state.withLock { ($0.streamAnswer(isIdempotent: request.isIdempotent), $0.body) }
    }

    /// Takes on what feeds the body to the session, and ends what did before.
    func feeds(_ feed: any BodyFeed) {
        kept.withLock { $0 = feed }
        state.withLock { $0.feed(by: feed) }?.stop()
    }

    /// The request's body cannot be read to its end.
    func bodyFailed(_ error: any Error) {
        if error is TarmacError || error is CancellationError { return end(.failure(error)) }
        end(.failure(TarmacError(.transportFailed, phase: .sending, "the stream of the request body failed", cause: error)))
    }

    /// The request must not be sent again: the server may have acted on it.
    func refuseResend() {
        end(.failure(TarmacError(.connectionLost, phase: .waiting, "the connection ended before the response")))
    }

    // MARK: The way back

    /// Takes the head; `false` when it breaks the protocol, and nobody can know where the next response begins.
    @discardableResult
    func received(_ response: HTTPURLResponse) -> Bool {
        if (100..<200).contains(response.statusCode), response.statusCode != 101 {
            exchange.report(.informational(status: response.statusCode))
            return true
        }
        do {
            let head = try ResponseHead(response, to: request)
            exchange.report(.receivedHead)
            if let length = head.bodyLength { exchange.report(.contentLength(length)) }
            try prepare(for: head)
        } catch {
            end(.failure(error))
            return (error as? TarmacError)?.code != .malformedResponse
        }
        return true
    }

    /// Chooses where the body goes; a streamed response lands here.
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

    // A body that says it is too large is not read to find out.
    private func makeGatherer(for head: ResponseHead, limit: Int) throws(TarmacError) -> BodyGatherer {
        if let length = head.bodyLength, length > Int64(limit) { throw .bodyTooLarge(limit: limit) }
        return BodyGatherer(limit: limit, expected: head.bodyLength)
    }

    private func makeBuffer() -> StreamBuffer {
        let brake = Platform.makeBrake(for: state.withLock { $0.task })
        return StreamBuffer(brake: brake) { [self] in streamClosed() }
    }

    func received(_ data: Data) {
        do {
            let step = try state.withLock { state throws(TarmacError) in try state.take(data) }
            if case .drop = step { return }
            exchange.report(.receivedBody(bytes: data.count))
            switch step {
            case .stream(let buffer): try buffer.append(Bytes(data))
            case .kept, .drop: break
            }
        } catch {
            end(.failure(error))
        }
    }

    /// The task is done: its last call.
    func completed(with error: (any Error)?, response: HTTPURLResponse?) {
        // Foundation on Linux keeps the head of a redirect without a usable Location to itself until the end.
        if let response, error == nil, state.withLock({ $0.head == nil }) { received(response) }
        state.withLock { $0.leave() }
        finish(with: error)
    }

    /// Lands with what is there, and cancels the task, whose rest nobody wants.
    func finishEarly() { finish(with: nil) }

    private func finish(with error: (any Error)?) {
        let (head, sink, count) = state.withLock { ($0.head, $0.sink, $0.received) }
        if let error {
            return end(.failure(SessionFailure(error).error(phase: exchange.phase, hasHead: head != nil, cause: error)), isBreak: true)
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

    /// Ends the flight; the first end counts. The one who waits goes on at once, the task is cancelled behind its back.
    ///
    /// - Parameter isBreak: whether the reader of a stream may have what came before the failure.
    func end(_ result: Result<Response, any Error>, isBreak: Bool = false) {
        guard let ending = state.withLock({ $0.end(result) }) else { return }
        if case .failure(let error) = result, case .streaming(let buffer) = ending.sink {
            if isBreak { buffer.finish(.failure(error)) } else { buffer.fail(error) }
        }
        settle(ending)
        ending.continuation?.resume(with: result)
    }

    /// The reader of a streamed response has seen its end, or left.
    private func streamClosed() {
        guard let ending = state.withLock({ $0.closeStream() }) else { return }
        settle(ending)
    }

    private func settle(_ ending: SessionTaskState.Ending) {
        guard ending.isFinal else { return }
        ending.spooling?.cancel()
        ending.feed?.stop()
        if let task = ending.task { canceller.cancel(task) }
        exchange.report(.ended)
    }
}
