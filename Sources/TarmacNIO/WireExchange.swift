#if NIO
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import Tarmac

/// One request on one connection: the meeting point of the caller, AsyncHTTPClient's pool and the connection's handler.
///
/// The pool sees a stand-in without a body and brings it to a connection; there ``ExchangeHandler`` finds this exchange,
/// sends its true head and body and gives it the response. The pool tells only of failures.
final class WireExchange: Sendable {
    struct State {
        var number = 0
        /// Nothing more comes from the network.
        var isEnded = false
        var hasReportedEnd = false
        var continuation: UnsafeContinuation<Tarmac.Response, any Error>?
        var task: HTTPClient.Task<Void>?
        var connection: ConnectionLink?
        /// The connection's history, kept for judging a failure; `nil` as long as the exchange has no connection.
        var uses: ConnectionUses?
        var isReused = false
        var isUnprocessed = false
        /// What the pool failed with, as it came.
        var poolError: (any Error)?
        var head: ResponseHead?
        var received = 0
        var collector: BodyCollector?
        var stream: StreamBuffer?
        var reader: UnsafeContinuation<Bytes?, any Error>?
        var upload: Task<Void, Never>?
    }

    let exchange: Exchange
    let message: RequestMessage
    let registry: ExchangeRegistry
    let usesProxy: Bool
    let state = Locked(State())

    init(_ message: RequestMessage, exchange: Exchange, registry: ExchangeRegistry, usesProxy: Bool) {
        self.exchange = exchange
        self.message = message
        self.registry = registry
        self.usesProxy = usesProxy
    }

    /// Hands the request to the pool; returns at the end of a collected body or at the head of a streamed one.
    func run(on pool: HTTPClient, standIn: HTTPClient.Request) async throws -> Tarmac.Response {
        // SAFETY: `end` and the two that deliver take the continuation out of the locked state before they resume it.
        try await withUnsafeThrowingContinuation { continuation in
            // Before the registry knows this exchange: a shutdown may end it from then on.
            state.withLock { $0.continuation = continuation }
            guard let number = register() else { return }
            exchange.onAbort { [self] in end($0.error, isAbort: true) }
            start(on: pool, standIn: standIn, number: number)
        }
    }

    /// The number in the registry; `nil` when the transport is shut down, which has ended the exchange.
    private func register() -> Int? {
        guard let number = registry.add(self) else {
            end(TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down"))
            return nil
        }
        let isEnded = state.withLock { state in
            state.number = number
            return state.isEnded
        }
        if isEnded { registry.remove(number) }
        return isEnded ? nil : number
    }

    private func start(on pool: HTTPClient, standIn: HTTPClient.Request, number: Int) {
        guard !state.withLock({ $0.isEnded }) else { return }
        var request = standIn
        request.headers = StandIn.headers(number: number, closesConnection: message.closesConnection)
        let task = pool.execute(request: request, delegate: self)
        let isEnded = state.withLock { state in
            if !state.isEnded { state.task = task }
            return state.isEnded
        }
        if isEnded { task.fail(reason: CancellationError()) }
    }

    // MARK: The end

    /// Nothing more comes from the network, and nothing more is to be sent.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Ends the exchange with an error; the first end counts.
    func end(_ error: any Error, isAbort: Bool = false) {
        let ending = state.withLock { $0.end(error, isAbort: isAbort) }
        guard let ending else { return }
        registry.remove(ending.number)
        ending.upload?.cancel()
        ending.task?.fail(reason: error)
        if ending.reportsEnd { exchange.report(.ended) }
        ending.continuation?.resume(throwing: error)
        ending.reader?.resume(throwing: error)
    }
}

extension WireExchange.State {
    /// What is left to do, outside the lock, when an exchange has ended.
    struct Ending {
        let number: Int
        let task: HTTPClient.Task<Void>?
        let upload: Task<Void, Never>?
        let continuation: UnsafeContinuation<Tarmac.Response, any Error>?
        let reader: UnsafeContinuation<Bytes?, any Error>?
        let reportsEnd: Bool
    }

    mutating func end(_ error: any Error, isAbort: Bool) -> Ending? {
        // An abort also takes back what a slow reader has not read yet.
        if isAbort { stream?.abort(error) } else if !isEnded { stream?.fail(error) }
        guard !isEnded else { return nil }
        return close(reportsEnd: stream != nil)
    }

    /// Lets go of everything that could keep the exchange alive.
    mutating func close(reportsEnd: Bool) -> Ending {
        isEnded = true
        let reports = reportsEnd && !hasReportedEnd
        if reports { hasReportedEnd = true }
        defer {
            task = nil
            upload = nil
            continuation = nil
            reader = nil
            connection = nil
        }
        return Ending(
            number: number, task: task, upload: upload, continuation: continuation, reader: reader, reportsEnd: reports)
    }
}
#endif
