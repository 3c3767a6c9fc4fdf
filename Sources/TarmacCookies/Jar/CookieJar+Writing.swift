import Dispatch
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CookieJar {
    /// Writes the changes that the store does not contain yet. Does nothing without a store.
    ///
    /// ```swift
    /// try await jar.flush()       // before the process exits, unless the client is shut down
    /// ```
    /// - Throws: the error of the store. The changes are kept, and written with the next ones.
    public func flush() async throws {
        // Another process may hold the lock of the store's file.
        while await !onThread({ self.writeNow() }) { await written() }
        try throwFailure()
    }

    public var needsLoading: Bool {
        guard let store else { return false }
        let version = (store as? any SharedCookieStore)?.version()
        return state.withLock { $0.needsReading(version) }
    }

    /// The longest time that calls wait for the store's cookies.
    static let readingLimit = Duration.seconds(30)

    /// Reads the store, on a thread of its own because a store may block. Calls that come meanwhile wait for the same reading.
    /// After 30 seconds, calls go on without cookies.
    public func load() async {
        let wait = Settlement<Void>()
        switch state.withLock({ $0.reading.join(wait) }) {
        case .goOn: return
        case .begin: read()
        case .wait: break
        }
        _ = try? await wait.value()
    }

    private func read() {
        // LIFETIME: ends after `readingLimit`, or with the store's reading.
        Task.detached { [self] in
            await time.wait(atMost: Self.readingLimit) { await self.onThread { self.readInBackground() } }
            let late = TarmacError(.cookieStoreFailed, "the cookie store has not answered within \(Self.readingLimit.shown)")
            for wait in state.withLock({ $0.reading.release(late: late) }) { wait.settle(.success(())) }
        }
    }

    private func readInBackground() {
        // The failure becomes the warning of a call when it uses the cookies.
        var failure: (any Error)?
        do { try load(time.date) } catch let error { failure = error }
        state.withLock { $0.reading.end(failure) }
    }

    /// Returns the result of `work`, which may block its thread.
    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            // Its threads would be those of the tasks on Linux: a file that another process has locked would hold them all.
            DispatchQueue(label: "tarmac.cookies").async { continuation.resume(returning: work()) }
        }
    }

    /// Reads the store for a call, unless ``load()`` has tried. A second attempt could hold the call beyond its deadline.
    ///
    /// - Parameter isAgain: whether it is read again after another jar has changed it. Not when a response comes: what it sets belongs to
    ///   the cookies that its request sent.
    func loadForCall(_ date: Date, isAgain: Bool = true) throws {
        guard store != nil else { return }
        let (isLoaded, failure) = state.withLock { ($0.isLoaded, $0.reading.failure) }
        if isLoaded, !isAgain || failure != nil { return }
        if let failure { throw failure }
        try load(date)
    }

    /// Reads the store at the first use, and again after another jar has changed it.
    func load(_ date: Date) throws {
        guard let store else { return }
        // The version is asked for first, so that a change during the reading is noticed by the next use.
        while let reading = state.withLock({ [version = (store as? any SharedCookieStore)?.version()] in $0.beginReading(version) }) {
            do {
                let stored = try store.load()
                if state.withLock({ $0.load(stored, reading, at: date) }) { return }
            } catch {
                // No reading will find cookies in a file that is damaged. The jar goes on with what it has, and the next call that keeps
                // cookies reports it.
                let isLost = (error as? TarmacError)?.cause(as: UnusableContent.self) != nil
                guard isLost || state.withLock({ $0.isLoaded }) else { throw error }
                return state.withLock { $0.noteUnread(reading, error, isLost: isLost, at: date) }
            }
        }
    }

    /// Calls `body` with the cookies of a principal. Those of a forgotten principal are read from the store first.
    func withOwner<Result>(of scope: CookieScope, _ body: (inout CookieJarState, CookieOwner) -> Result) throws -> Result {
        var reading: PrincipalReading?
        while true {
            let step: (result: Result?, next: PrincipalReading?) = state.withLock { state in
                if let next = state.reading(for: scope, after: reading) { return (nil, next) }
                let owner = state.owner(of: scope, reading)
                return (body(&state, owner), nil)
            }
            if let result = step.result { return result }
            reading = step.next
            if let store, let principal = step.next?.principal { reading?.cookies = try store.cookies(of: principal) }
        }
    }

    /// Writes the changes after a delay, together with later ones.
    func writeLater() {
        let due = state.withLock { [now = time.moment] in $0.writing.due(after: now, isShared: store is any SharedCookieStore) }
        // LIFETIME: ends after the delay, with the write. It keeps the jar, so that a jar that is released loses nothing.
        Task.detached { [self] in
            try? await time.sleep(until: due)
            state.withLock { $0.writing.isScheduled = false }
            _ = await onThread { self.writeNow() }
        }
    }

    /// Writes the changes of a failed write again after a pause that grows. A jar that was released does not try for ever.
    private func retryLater() {
        let pause = state.withLock { $0.retryPause }
        // LIFETIME: ends after the pause, with the write.
        Task.detached { [weak self, time] in
            try? await time.sleep(until: time.now + pause)
            guard let self else { return }
            state.withLock { $0.writing.isScheduled = false }
            _ = await onThread { self.writeNow() }
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
            case .write(let changes, let version): write(changes, at: version, to: store)
            case .end(let waiters):
                waiters.resume()
                if state.withLock({ $0.mustRetry() }) { retryLater() }
                return true
            }
            isFirst = false
        }
    }

    private func write(_ changes: CookieChanges, at version: String?, to store: any CookieStore) {
        do {
            guard let shared = store as? any SharedCookieStore else {
                try store.apply(changes)
                return state.withLock { $0.settle(nil) }
            }
            let next = try shared.apply(changes, at: version)
            state.withLock { state in
                state.noteVersion(next, after: version)
                state.settle(nil)
            }
        } catch { state.withLock { $0.settle(error) } }
    }

    /// Returns when the write of another call has ended.
    private func written() async {
        await state.wait(in: \.writing.waiters) { !$0.writing.isWriting }
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
