import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of an exchange. The lock of the exchange protects it.
struct SessionTaskState {
    enum Stage {
        /// No part of the response has been returned.
        case waiting
        /// The head is returned, and the reader receives the body.
        case streaming
        case over
    }

    /// The step for a chunk after the lock is released.
    enum Step {
        case drop
        case kept
        case stream(StreamBuffer)
    }

    /// The remaining work after an end.
    struct Ending {
        var continuation: CheckedContinuation<Response, any Error>?
        var task: URLSessionTask?
        var sink: Sink?
        var spooling: Task<Void, Never>?
        var feed: (any BodyFeed)?
        var silence: (@Sendable () -> Void)?
        /// Whether the exchange is over. `false` if a streamed body continues.
        var isFinal: Bool
    }

    var stage = Stage.waiting
    var continuation: CheckedContinuation<Response, any Error>?
    private(set) var task: URLSessionTask?
    private var silence: (@Sendable () -> Void)?
    /// The latest head behind a proxy, until it is known to be that of the server.
    private var heldHead: HTTPURLResponse?
    private var spooling: Task<Void, Never>?
    /// The request body.
    var body: RestingBody?
    /// How much of the request body has left, on any connection.
    var sentBody: Int64 = 0
    private var streams = StreamRequests()
    private var feed: (any BodyFeed)?
    private(set) var head: ResponseHead?
    private(set) var sink: Sink?
    private(set) var received: Int64 = 0

    /// Whether the response is complete, by its length, before the request body has left.
    var isCompleteEarly: Bool {
        guard !isOver, let length = head?.bodyLength, let body else { return false }
        return received >= length && sentBody < body.length
    }

    var isOver: Bool { if case .over = stage { true } else { false } }

    /// Stores the task, and the report for an end at a time limit without a sign of the server.
    mutating func board(_ task: URLSessionTask, _ silence: @escaping @Sendable () -> Void) -> Bool {
        guard !isOver else { return false }
        (self.task, self.silence) = (task, silence)
        return true
    }

    /// Stores the task that reads the body stream. Returns `false` if the exchange is over.
    mutating func adopt(_ spooling: Task<Void, Never>) -> Bool {
        guard !isOver else { return false }
        self.spooling = spooling
        return true
    }

    mutating func streamAnswer(isIdempotent: Bool) -> StreamRequests.Answer {
        streams.answer(isIdempotent: isIdempotent, isOver: isOver)
    }

    /// Stores the feed that writes the body to the session. Returns the feed to stop: the previous one, or this
    /// one if the exchange is over.
    mutating func feed(by feed: any BodyFeed) -> (any BodyFeed)? {
        guard !isOver else { return feed }
        defer { self.feed = feed }
        return self.feed
    }

    /// Notes that the task has made its last call, so that it need not be cancelled.
    mutating func leave() { task = nil }

    /// Keeps a head that may be the proxy's. The last one before the body is the server's.
    mutating func hold(_ head: HTTPURLResponse) { heldHead = head }

    mutating func takeHeldHead() -> HTTPURLResponse? { heldHead.take() }

    /// Stores the head. Returns `false` if no caller waits for it.
    mutating func prepare(_ head: ResponseHead, _ sink: Sink) -> Bool {
        guard case .waiting = stage, self.head == nil else { return false }
        self.head = head
        self.sink = sink
        return true
    }

    mutating func take(_ data: Data) throws(TarmacError) -> Step {
        guard !isOver, sink != nil else { return .drop }
        received += Int64(data.count)
        if case .streaming(let buffer) = sink { return .stream(buffer) }
        return try keep(data)
    }

    // The gatherer is taken out and put back without another copy, so that the bytes are appended in place. A `switch` over a
    // temporary value would keep a second one.
    private mutating func keep(_ data: Data) throws(TarmacError) -> Step {
        guard case .gathering(var gatherer) = sink else { return .kept }
        sink = nil
        guard gatherer.hasRoom(for: data.count) else { throw .bodyTooLarge(limit: gatherer.limit) }
        gatherer.append(data)
        sink = .gathering(gatherer)
        return .kept
    }

    /// Ends the exchange, or the first part of a streamed response. Returns `nil` if it had ended before.
    mutating func end(_ result: Result<Response, any Error>) -> Ending? {
        guard !isOver else { return nil }
        if case .success(let response) = result, case .stream = response.body {
            stage = .streaming
            return Ending(continuation: continuation.take(), isFinal: false)
        }
        stage = .over
        return Ending(
            continuation: continuation.take(), task: task.take(), sink: sink.take(), spooling: spooling.take(), feed: feed.take(),
            silence: takeSilence(after: result), isFinal: true)
    }

    /// Returns the report if a time limit ended the exchange before the head, or between two bytes.
    private mutating func takeSilence(after result: Result<Response, any Error>) -> (@Sendable () -> Void)? {
        let report = silence.take()
        guard case .failure(let error as TarmacError) = result, error.code.category == .timeout else { return nil }
        return head == nil || error.code == .idleTimeout ? report : nil
    }

    /// Ends a streamed body after its reader is done. Returns `nil` if the exchange was over before.
    mutating func closeStream() -> Ending? {
        guard !isOver else { return nil }
        stage = .over
        return Ending(task: task.take(), sink: sink.take(), spooling: spooling.take(), feed: feed.take(), isFinal: true)
    }
}
