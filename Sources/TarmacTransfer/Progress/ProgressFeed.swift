@_spi(TarmacRooms) import TarmacCore

/// Sends progress to any number of readers, each of which gets the latest state.
final class ProgressFeed: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
        var next = 0
        var latest: TransferProgress?
        var isFinished = false
    }
    private let state = Locked(State())

    func stream() -> AsyncStream<TransferProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (number, latest, isFinished) = state.withLock { state -> (Int, TransferProgress?, Bool) in
                state.next += 1
                if !state.isFinished { state.readers[state.next] = continuation }
                return (state.next, state.latest, state.isFinished)
            }
            if let latest { continuation.yield(latest) }
            if isFinished { continuation.finish() }
            continuation.onTermination = { [weak self] _ in self?.leave(number) }
        }
    }

    func send(_ progress: TransferProgress) {
        let readers = state.withLock { state in
            state.latest = progress
            return Array(state.readers.values)
        }
        for reader in readers { reader.yield(progress) }
    }

    func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func leave(_ number: Int) { _ = state.withLock { $0.readers.removeValue(forKey: number) } }
}
