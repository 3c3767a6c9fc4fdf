@_spi(TarmacRooms) import TarmacCore

/// Writes calls to the record in the background, one batch after another.
final class LogWriter: Sendable {
    typealias Maker = @Sendable () -> CallLog.Entry?

    private struct State {
        var pending: [Maker] = []
        var isWriting = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var failure: TarmacError?
    }
    private let file: RecordFile
    private let state = Locked(State())
    /// The number of calls that wait to be written. More are left out, so that a slow disk holds up nothing and memory stays bounded.
    private static let mostPending = 1_024

    init(_ file: RecordFile) { self.file = file }

    var failure: TarmacError? { state.withLock { $0.failure } }

    /// Adds a call. `make` runs in the background.
    func add(_ make: @escaping Maker) {
        let starts = state.withLock { state in
            if state.pending.count < Self.mostPending { state.pending.append(make) }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        // LIFETIME: ends when nothing is left to write.
        if starts { Task.detached(priority: .utility) { await self.writeAll() } }
    }

    /// Returns after all calls that were added are written.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isWriting { state.waiting.append(continuation) }
                return !state.isWriting
            }
            if isDone { continuation.resume() }
        }
    }

    private func writeAll() async {
        while let batch = nextBatch() {
            let lines = batch.compactMap { $0() }.map(CallLog.jsonLine)
            do {
                try file.append(lines)
            } catch {
                state.withLock { $0.failure = error }
            }
            await Task.yield()
        }
    }

    /// Returns the calls to write next, or `nil` at the end.
    private func nextBatch() -> [Maker]? {
        let (batch, waiting) = state.withLock { state -> ([Maker]?, [CheckedContinuation<Void, Never>]) in
            if !state.pending.isEmpty {
                defer { state.pending = [] }
                return (state.pending, [])
            }
            state.isWriting = false
            defer { state.waiting = [] }
            return (nil, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return batch
    }
}
