@_spi(TarmacRooms) package import TarmacCore

/// Finds the addresses of names with the resolver of a setting: one question for all that ask at the same time, and answers from a cache.
package final class NameLookup: Sendable {
    private struct Waiter {
        let wait = Settlement<[HostAddress]>()
        /// Whether it waits for the whole answer.
        let isForAll: Bool
    }
    /// A question.
    private struct Run {
        var waiting: [Int: Waiter] = [:]
        /// The addresses that are used before the whole answer is there.
        var early: [HostAddress] = []
        var task: Task<Void, Never>?
    }
    private struct State {
        var cache = NameCache()
        var runs: [String: Run] = [:]
        var number = 0
        var isClosed = false
    }
    private enum Start {
        case known([HostAddress])
        case wait(Settlement<[HostAddress]>, number: Int, asks: Bool, old: [HostAddress])
        case fail(TarmacError)
    }

    /// The maximum number of names that are asked for at the same time, and of those and the names that wait for that.
    private static let slots = 256, limit = 4_096
    /// The time that a resolver has before old addresses serve (RFC 8767 §5).
    private static let patience = Duration.milliseconds(1_800)

    private let source: NameSource
    private let time: any TimeSource
    private let slots = QuestionSlots(slots, waiting: limit)
    private let state = Locked(State())

    /// - Parameters:
    ///   - settings: the connections whose resolver it is.
    ///   - makeTransport: makes the transport for questions over HTTPS.
    /// - Throws: `TarmacError(.invalidOption)` if the resolver cannot be used, and the error of the closure.
    package init(
        _ settings: ConnectionSettings, time: any TimeSource = .system, makeTransport: @escaping (ConnectionSettings) throws -> any Transport
    ) throws {
        source = try NameSource.Maker(settings: settings, time: time, makeTransport: makeTransport).make(settings.resolver)
        self.time = time
    }

    /// Returns the addresses of a name, at least one. They may be old, or some of them, while a resolver is still asked.
    ///
    /// - Throws: `TarmacError(.cannotFindHost)`, and the reason of an abort.
    package func addresses(of name: String, for exchange: Exchange) async throws -> [HostAddress] {
        let start = begin(name) { state, now in
            switch state.cache.decide(name, at: now) {
            case .use(let addresses): return .known(addresses)
            case .hasNone: return .fail(Self.notFound(name, Self.none))
            case .ask(let old):
                if let early = state.runs[name]?.early, !early.isEmpty { return .known(early) }
                return Self.wait(name, &state, isForAll: false, old: old)
            }
        }
        return try await end(start, name, exchange)
    }

    /// Returns the addresses of a name that a resolver knows besides the given ones, from its whole answer. If the answer before it was
    /// old, or a part, and no question for it runs, there is another question.
    ///
    /// - Throws: as ``addresses(of:for:)``.
    package func others(of name: String, than known: [HostAddress], for exchange: Exchange?) async throws -> [HostAddress] {
        let start = begin(name) { state, now in
            if state.runs[name] == nil, let all = state.cache.sure(name, at: now) { return .known(all) }
            return Self.wait(name, &state, isForAll: true, old: [])
        }
        return try await end(start, name, exchange).filter { !known.contains($0) }
    }

    /// Whether a question for a name runs.
    package func isAsked(_ name: String) -> Bool { state.withLock { $0.runs[name] != nil } }

    private func begin(_ name: String, _ decide: (inout State, Moment) -> Start) -> Start {
        let now = time.moment
        return state.withLock { state in
            state.isClosed ? .fail(TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down")) : decide(&state, now)
        }
    }

    private static func wait(_ name: String, _ state: inout State, isForAll: Bool, old: [HostAddress]) -> Start {
        let isRunning = state.runs[name] != nil
        guard isRunning || state.runs.count < limit else {
            return old.isEmpty ? .fail(notFound(name, "too many names are asked for")) : .known(old)
        }
        let waiter = Waiter(isForAll: isForAll)
        state.number += 1
        state.runs[name, default: Run()].waiting[state.number] = waiter
        return .wait(waiter.wait, number: state.number, asks: !isRunning, old: old)
    }

    private func end(_ start: Start, _ name: String, _ exchange: Exchange?) async throws -> [HostAddress] {
        switch start {
        case .fail(let error): throw error
        case .known(let addresses): return addresses
        case .wait(let wait, let number, let asks, let old):
            if asks { ask(name) }
            exchange?.onAbort { wait.settle(.failure($0.error)) }
            let timer = old.isEmpty ? nil : serveLater(old, of: name)
            defer {
                timer?.cancel()
                state.withLock { _ = $0.runs[name]?.waiting.removeValue(forKey: number) }
            }
            return try await wait.value()
        }
    }

    /// Hands out old addresses if there are no others in time.
    private func serveLater(_ old: [HostAddress], of name: String) -> Task<Void, Never> {
        // LIFETIME: ends after the time, or with the wait, which cancels it.
        Task.detached { [self] in
            if (try? await time.sleep(until: time.now + Self.patience)) != nil { begin(old, of: name, isOld: true) }
        }
    }

    private func ask(_ name: String) {
        // LIFETIME: ends at the time limits of the resolvers, or at the shutdown.
        let task = Task.detached { [self] in
            do {
                let answer = try await slots.run { [self] in
                    isWanted(name) ? try await source.answer(to: name) { [self] in begin($0.addresses, of: name) } : nil
                }
                if let answer { finish(name, .success(answer)) }
            } catch { finish(name, .failure(error)) }
        }
        let isClosed = state.withLock { state in
            state.runs[name]?.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    /// Whether a call still waits for a question whose turn has come. Otherwise it is dropped.
    private func isWanted(_ name: String) -> Bool {
        let (isWanted, _) = state.withLock { state -> (Bool, dropped: Run?) in
            let isWanted = state.runs[name]?.waiting.isEmpty == false
            return (isWanted, isWanted ? nil : state.runs.removeValue(forKey: name))
        }
        return isWanted
    }

    /// Hands out the part of an answer that is there, or old addresses if there is none.
    private func begin(_ addresses: [HostAddress], of name: String, isOld: Bool = false) {
        let waiting = state.withLock { state -> [Waiter] in
            guard let run = state.runs[name], !isOld || run.early.isEmpty else { return [] }
            state.runs[name]?.early = addresses
            return run.waiting.values.filter { !$0.isForAll }
        }
        for waiter in waiting { waiter.wait.settle(.success(addresses)) }
    }

    private func finish(_ name: String, _ result: Result<NameAnswer, any Error>) {
        let now = time.moment
        let (outcome, run) = state.withLock { state -> (Result<[HostAddress], any Error>, Run?) in
            let run = state.runs.removeValue(forKey: name)
            switch result {
            case .success(let answer):
                state.cache.keep(answer, for: name, at: now)
                return (answer.addresses.isEmpty ? .failure(Self.notFound(name, Self.none)) : .success(answer.addresses), run)
            case .failure(let error):
                let old = state.cache.fail(name, at: now)
                return (old.isEmpty ? .failure(Self.notFound(name, NameSource.reason(of: error), cause: error)) : .success(old), run)
            }
        }
        for waiter in run?.waiting.values ?? [:].values { waiter.wait.settle(outcome) }
    }

    private static let none = "it has no address"

    private static func notFound(_ name: String, _ reason: String, cause: (any Error)? = nil) -> TarmacError {
        TarmacError(.cannotFindHost, phase: .connecting, "the host \"\(name)\" cannot be found: \(reason)", cause: cause)
    }

    /// Ends all questions.
    package func shutdown() async {
        let runs = state.withLock { state in
            state.isClosed = true
            defer { state.runs = [:] }
            return Array(state.runs.values)
        }
        let error = TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down")
        for run in runs {
            run.task?.cancel()
            for waiter in run.waiting.values { waiter.wait.settle(.failure(error)) }
        }
        await source.shutdown()
    }
}
