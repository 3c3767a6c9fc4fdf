import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where a flight stands. Everything in it is touched under the flight's lock.
struct SessionTaskState {
    enum Stage {
        /// Nobody has got anything yet.
        case waiting
        /// The head is out, the body is on its way to its reader.
        case streaming
        case over
    }

    /// What to do with a chunk once the lock is free.
    enum Step {
        case drop
        case kept
        case stream(StreamBuffer)
    }

    /// What an end leaves to be done.
    struct Ending {
        var continuation: CheckedContinuation<Response, any Error>?
        var task: URLSessionTask?
        var sink: Sink?
        var spooling: Task<Void, Never>?
        var feed: (any BodyFeed)?
        /// `false` when a streamed body goes on.
        var isFinal: Bool
    }

    var stage = Stage.waiting
    var continuation: CheckedContinuation<Response, any Error>?
    private(set) var task: URLSessionTask?
    private var spooling: Task<Void, Never>?
    /// What is sent.
    var body: RestingBody?
    private var streams = StreamRequests()
    private var feed: (any BodyFeed)?
    private(set) var head: ResponseHead?
    private(set) var sink: Sink?
    private(set) var received: Int64 = 0

    var isOver: Bool { if case .over = stage { true } else { false } }

    mutating func board(_ task: URLSessionTask) -> Bool {
        guard !isOver else { return false }
        self.task = task
        return true
    }

    /// Takes on the task that reads the body stream; `false` when the flight is over.
    mutating func adopt(_ spooling: Task<Void, Never>) -> Bool {
        guard !isOver else { return false }
        self.spooling = spooling
        return true
    }

    mutating func streamAnswer(isIdempotent: Bool) -> StreamRequests.Answer {
        streams.answer(isIdempotent: isIdempotent, isOver: isOver)
    }

    /// Takes on what feeds the body to the session. Returns what has to stop: what did before, or this one when the flight is over.
    mutating func feed(by feed: any BodyFeed) -> (any BodyFeed)? {
        guard !isOver else { return feed }
        defer { self.feed = feed }
        return self.feed
    }

    /// The task has made its last call: nothing is left to cancel.
    mutating func leave() { task = nil }

    /// Takes the head on; `false` when nobody waits for it.
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

    // Taken out and put back, with no other copy held meanwhile, so that the bytes are appended in place.
    private mutating func keep(_ data: Data) throws(TarmacError) -> Step {
        switch sink.take() {
        case .gathering(var gatherer):
            guard gatherer.hasRoom(for: data.count) else { throw .bodyTooLarge(limit: gatherer.limit) }
            gatherer.append(data)
            sink = .gathering(gatherer)
            return .kept
        case let other:
            sink = other
            return .kept
        }
    }

    /// Ends the flight, or with a streamed response its first part; `nil` when it had ended before.
    mutating func end(_ result: Result<Response, any Error>) -> Ending? {
        guard !isOver else { return nil }
        if case .success(let response) = result, case .stream = response.body {
            stage = .streaming
            return Ending(continuation: continuation.take(), isFinal: false)
        }
        stage = .over
        return Ending(continuation: continuation.take(), task: task.take(), sink: sink.take(), spooling: spooling.take(), feed: feed.take(), isFinal: true)
    }

    /// The reader is done with a streamed body; `nil` when the flight was over before.
    mutating func closeStream() -> Ending? {
        guard !isOver else { return nil }
        stage = .over
        return Ending(task: task.take(), sink: sink.take(), spooling: spooling.take(), feed: feed.take(), isFinal: true)
    }
}
