import TarmacCore

/// Between the flight of a stream, which opens its connections, and the reader, who reads their bodies. The flight has
/// the slot, the context and the last word about errors; no byte passes through it, so that the socket waits for the
/// reader alone.
final class StreamHandover: Sendable {
    /// What the reader says about a connection it was given.
    enum Report: Sendable {
        /// It wants no more.
        case finished
        /// The body has ended well.
        case ended(StreamResumption)
        case failed(any Error, StreamResumption)
    }

    fileprivate struct State {
        var opening: StreamOpening?
        /// How the flight ended.
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Void, Never>?
        var server: CallWait?
        var report: Report?
    }
    private let state = Locked(State())

    // MARK: The reader

    /// The next connection; `nil` when the stream is over. Throws what the flight ended with.
    func next() async throws -> StreamOpening? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.opening == nil, state.end == nil { state.reader = continuation }
                return state.reader == nil
            }
            if isReady { continuation.resume() }
        }
        let (opening, end) = state.withLock { state in
            defer { state.opening = nil }
            return (state.opening, state.end)
        }
        try end?.get()
        return end == nil ? opening : nil
    }

    /// Says how the connection ended. Ignored when the flight does not wait for it.
    @discardableResult
    func report(_ report: Report) -> Bool {
        let server = state.withLock { state -> CallWait? in
            guard let server = state.server else { return nil }
            state.server = nil
            state.report = report
            return server
        }
        server?.settle(.success(()))
        return server != nil
    }

    // MARK: The flight

    /// Hands a connection over and returns when the reader is done with it. It throws at the call's deadline, at its
    /// cancellation and at the client's shutdown, whether the reader reads or not.
    func offer(_ opening: StreamOpening, for context: CallContext) async throws -> Report {
        let wait = CallWait(late: context.deadlineExceeded(.receiving))
        let reader = state.withLock { state in
            state.opening = opening
            state.server = wait
            return state.takeReader()
        }
        reader?.resume()
        defer { state.withLock { $0.server = nil } }
        try await context.runtime.waits.hold(wait, for: context)
        return state.withLock { state in
            defer { state.report = nil }
            return state.report ?? .finished
        }
    }

    /// The flight has ended.
    func close(_ end: Result<Void, any Error>) {
        let reader = state.withLock { state in
            state.end = end
            state.opening = nil
            return state.takeReader()
        }
        reader?.resume()
    }
}

extension StreamHandover.State {
    fileprivate mutating func takeReader() -> CheckedContinuation<Void, Never>? {
        defer { reader = nil }
        return reader
    }
}
