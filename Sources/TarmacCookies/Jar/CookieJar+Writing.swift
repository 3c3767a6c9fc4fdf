import Dispatch
@_spi(TarmacRooms) import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CookieJar {
    /// The longest time from a change to the update of the store.
    static let delay = Duration.seconds(1)

    /// Writes the changes that the store does not contain yet. Does nothing without a store.
    ///
    /// ```swift
    /// try await jar.flush()       // before the process exits, unless the client is shut down
    /// ```
    /// - Throws: the error of the store. The changes are kept, and written with the next ones.
    public func flush() async throws {
        while !writeNow() { await written() }
        try throwFailure()
    }

    public var needsLoading: Bool { store != nil && !state.withLock { $0.isLoaded } }

    /// Reads the store, on a thread of its own because a store may block. Calls that come meanwhile wait for the same reading.
    public func load() async {
        let reading = state.withLock { state -> Task<Void, Never> in
            if let reading = state.reading { return reading }
            // LIFETIME: ends with the store's reading. A call that waits for it ends at its own deadline.
            let reading = Task.detached { [self] in
                // A failure comes again, and becomes the warning of a call, when the cookies are used.
                await onThread { try? self.load(self.time.date) }
                self.state.withLock { $0.reading = nil }
            }
            state.reading = reading
            return reading
        }
        await reading.value
    }

    /// Returns when `work` has ended, which may block its thread.
    private func onThread(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                work()
                continuation.resume()
            }
        }
    }

    /// Reads the store at the first use.
    func load(_ date: Date) throws {
        guard let store, !state.withLock({ $0.isLoaded }) else { return }
        let stored = try store.load()
        state.withLock { $0.load(stored, at: date) }
    }

    /// Writes the changes after a delay, together with later ones.
    func writeLater() {
        // LIFETIME: ends after the delay, with the write. It keeps the jar, so that a jar that is released loses nothing.
        Task.detached { [self] in
            try? await time.sleep(until: time.now + Self.delay)
            state.withLock { $0.writing.isScheduled = false }
            await onThread { self.writeNow() }
        }
    }

    /// Writes all changes, and those of other calls in the meantime. One call writes at a time, so that an older change
    /// never replaces a newer one.
    ///
    /// - Returns: whether everything was tried. `false` if another call is writing.
    @discardableResult
    func writeNow() -> Bool {
        guard let store else { return true }
        guard state.withLock({ $0.writing.begin() }) else { return false }
        var isFirst = true
        while true {
            switch state.withLock({ $0.nextStep(isFirst: isFirst) }) {
            case .write(let changes): write(changes, to: store)
            case .end(let waiters):
                for waiter in waiters { waiter.resume() }
                return true
            }
            isFirst = false
        }
    }

    private func write(_ changes: CookieChanges, to store: any CookieStore) {
        do {
            try store.apply(changes)
            state.withLock { $0.settle(nil) }
        } catch { state.withLock { $0.settle(error) } }
    }

    /// Returns when the write of another call has ended.
    private func written() async {
        await withCheckedContinuation { continuation in
            let isWriting = state.withLock { $0.writing.wait(continuation) }
            if !isWriting { continuation.resume() }
        }
    }

    /// Throws the error of the last write, once.
    func throwFailure() throws {
        let failure = state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
        if let failure { throw failure }
    }
}
