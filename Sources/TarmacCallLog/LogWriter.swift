@_spi(TarmacRooms) import TarmacCore

/// Writes calls to the record in the background, one batch after another.
final class LogWriter: Sendable {
    /// A call that has ended. It keeps its log, so that the record is complete when the app lets go of the log.
    struct Item: Sendable {
        let log: CallLog
        let record: CallRecord
        /// The memory of the call.
        let size: Int

        /// Returns the line of the call, which is masked for it alone.
        func line(_ longest: Int) -> [UInt8] { RecordedCall.line(log.masked(record, isKept: false), longest: longest) }
    }

    private struct State {
        var pending: [Item] = []
        /// The memory of the calls that wait or are being written.
        var size = 0
        var isWriting = false
        /// The tasks that wait until nothing is left to write.
        var waiting = SlotArray<Settlement<Void>>()
        var failure: TarmacError?
        /// The number of calls that are not in the file.
        var leftOut = 0
    }
    private let file: RecordFile
    private let memory, longest: Int
    private let state = Locked(State())
    /// The number of calls that wait to be written. More are left out, so that a slow disk holds up nothing and memory stays bounded.
    private static let mostPending = 1_024

    /// - Parameters:
    ///   - memory: the memory of the calls that wait, in bytes. One call may wait in any case.
    ///   - longest: the longest line of a call with bodies.
    init(_ file: RecordFile, memory: Int, longest: Int) { (self.file, self.memory, self.longest) = (file, memory, longest) }

    var failure: TarmacError? { state.withLock { $0.failure } }
    var leftOut: Int { state.withLock { $0.leftOut } }

    func add(_ item: Item) {
        let starts = state.withLock { state in
            // The line of a call that waits already is made later.
            if state.pending.last?.record === item.record { return false }
            guard state.pending.count < Self.mostPending, state.size == 0 || state.size + item.size <= memory else {
                state.leftOut += 1
                return false
            }
            state.pending.append(item)
            state.size += item.size
            defer { state.isWriting = true }
            return !state.isWriting
        }
        // LIFETIME: ends when nothing is left to write.
        if starts { Task.detached(priority: .utility) { await self.writeAll() } }
    }

    // MARK: Waiting

    /// Returns after all calls that were added are written, and after the limit at the latest.
    func flush(within limit: Duration) async {
        let wait = Settlement<Void>()
        guard let place = state.withLock({ $0.isWriting ? $0.waiting.enter(wait) : nil }) else { return }
        await SystemTime().wait(atMost: limit) { try? await wait.value() }
        state.withLock { _ = $0.waiting.leave(place) }
        // Ends the task that still waits for a disk that hangs.
        wait.settle(.success(()))
    }

    // MARK: Writing

    private func writeAll() async {
        while let batch = nextBatch() {
            var written = 0
            do {
                // Lazily, so that one line after another is in memory.
                try await file.append(batch.lazy.map { [longest] in $0.line(longest) }, counting: &written)
            } catch {
                state.withLock { $0.failure = error }
            }
            let missing = batch.count - written
            if missing > 0 { state.withLock { $0.leftOut += missing } }
            let size = batch.reduce(0) { $0 + $1.size }
            state.withLock { $0.size -= size }
            await Task.yield()
        }
    }

    /// Returns the calls to write next, or `nil` at the end.
    private func nextBatch() -> [Item]? {
        let (batch, waiting) = state.withLock { state -> ([Item]?, [Settlement<Void>]) in
            if !state.pending.isEmpty {
                defer { state.pending = [] }
                return (state.pending, [])
            }
            state.isWriting = false
            return (nil, state.waiting.all)
        }
        for wait in waiting { wait.settle(.success(())) }
        return batch
    }
}
