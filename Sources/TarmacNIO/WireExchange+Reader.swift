#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// Serves the reader of a streamed body.
extension WireExchange {
    /// Returns the next chunk or the end if there is one, or `nil` if the reader has to wait.
    func nextChunk() throws -> StreamedBody.Ready? {
        let (step, connection, reportsEnd) = state.withLock { $0.nextStep() }
        if reportsEnd { exchange.report(.ended) }
        switch step {
        case .chunk(let chunk, let resumesReading):
            if resumesReading { connection?.resumeReading(for: self) }
            return .chunk(Bytes(chunk))
        case .end: return .end
        case .failed(let error): throw error
        case .wait: return nil
        }
    }

    /// Suspends the reader until there is a chunk or the end.
    func waitForChunk(_ reader: UnsafeContinuation<Bytes?, any Error>) {
        // SAFETY: a body has one reader, so no other continuation is overwritten; `wakeReader` and `end` take it out
        // of the locked state before they resume it.
        let isWaiting = state.withLock { state in
            guard !state.isEnded, case .some(true) = state.stream?.isEmpty else { return false }
            state.reader = reader
            return true
        }
        if !isWaiting { serve(reader) }
    }

    func wakeReader() {
        let reader = state.withLock { state -> UnsafeContinuation<Bytes?, any Error>? in
            guard state.reader != nil, state.stream?.isEmpty == false else { return nil }
            defer { state.reader = nil }
            return state.reader
        }
        if let reader { serve(reader) }
    }

    private func serve(_ reader: UnsafeContinuation<Bytes?, any Error>) {
        do { reader.resume(returning: try nextChunk()?.bytes) } catch { reader.resume(throwing: error) }
    }

    /// Ends the exchange, because the rest of the body will not be read.
    func abandonBody() {
        let hasReported = state.withLock { $0.hasReportedEnd }
        guard !hasReported else { return }
        end(CancellationError(), isAbort: true)
        let reports = state.withLock { state in
            defer { state.hasReportedEnd = true }
            return !state.hasReportedEnd
        }
        if reports { exchange.report(.ended) }
    }
}

extension WireExchange.State {
    fileprivate mutating func nextStep() -> (StreamBuffer.Step, ConnectionLink?, reportsEnd: Bool) {
        let step = stream?.next() ?? .end
        var reportsEnd = false
        switch step {
        case .end, .failed:
            reportsEnd = !hasReportedEnd
            hasReportedEnd = true
        case .chunk, .wait: break
        }
        return (step, connection, reportsEnd)
    }
}
#endif
