@_spi(TarmacRooms) import TarmacCore

/// Connects the flight of a stream, which opens its connections, and the reader, which reads their bodies.
///
/// The flight has the slot, the context and the final decision about errors. No bytes pass through it, so that the
/// socket waits only for the reader.
final class StreamHandover: Sendable {
    /// The reader's report about a connection.
    enum Report: Sendable {
        /// The reader needs no more.
        case finished
        /// The body has ended normally.
        case ended(StreamResumption)
        case failed(any Error, StreamResumption)
    }

    fileprivate struct State {
        var opening: StreamOpening?
        /// The result of the flight.
        var end: Result<Void, any Error>?
        /// The reader that waits for a connection or for the end.
        var reader = Waiters()
        var server: CallWait?
        var report: Report?
    }
    private let state = Locked(State())

    // MARK: The reader

    /// Returns the next connection; `nil` at the end of the stream. Throws the error of the flight.
    func next() async throws -> StreamOpening? {
        await state.wait(in: \.reader) { $0.opening != nil || $0.end != nil }
        let (opening, end) = state.withLock { state in
            defer { state.opening = nil }
            return (state.opening, state.end)
        }
        try end?.get()
        return end == nil ? opening : nil
    }

    /// Reports the end of a connection. It is ignored if the flight does not wait for it.
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

    /// Passes a connection to the reader and waits until it is done. Throws at the call's deadline, at its cancellation
    /// and at the client's shutdown, whether the reader reads or not.
    func offer(_ opening: StreamOpening, for context: CallContext) async throws -> Report {
        let wait = CallWait(late: context.deadlineExceeded(.receiving))
        let (reader, _) = state.withLock { state in
            defer { (state.opening, state.server) = (opening, wait) }
            return (state.reader.takeAll(), state.opening)
        }
        reader.resume()
        defer { state.withLock { $0.server = nil } }
        try await context.hold(wait)
        return state.withLock { state in
            defer { state.report = nil }
            return state.report ?? .finished
        }
    }

    /// Ends the handover with the result of the flight.
    func close(_ end: Result<Void, any Error>) {
        let (reader, _) = state.withLock { state in
            defer { (state.end, state.opening) = (end, nil) }
            return (state.reader.takeAll(), state.opening)
        }
        reader.resume()
    }
}
