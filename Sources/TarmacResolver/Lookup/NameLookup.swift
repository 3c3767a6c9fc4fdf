@_spi(TarmacRooms) package import TarmacCore

/// Finds the addresses of names with the resolver of a setting: one question for all that ask at the same time, and answers from a cache.
package final class NameLookup: Sendable {
    private struct Run {
        var waiting: [Int: Settlement<[HostAddress]>] = [:]
        var task: Task<Void, Never>?
    }
    private struct State {
        var cache = NameCache()
        var runs: [String: Run] = [:]
        var number = 0
        var isClosed = false
    }
    private enum Start {
        case known([HostAddress], asks: Bool)
        case wait(Settlement<[HostAddress]>, number: Int, asks: Bool)
        case fail(TarmacError)
    }

    /// The maximum number of names that are asked for at the same time.
    private static let limit = 256

    private let source: NameSource
    private let time: any TimeSource
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

    /// Returns the addresses of a name, at least one.
    ///
    /// - Throws: `TarmacError(.cannotFindHost)`, and the reason of an abort.
    package func addresses(of name: String, for exchange: Exchange) async throws -> [HostAddress] {
        switch begin(name) {
        case .fail(let error): throw error
        case .known(let addresses, let asks):
            if asks { ask(name) }
            return addresses
        case .wait(let wait, let number, let asks):
            if asks { ask(name) }
            exchange.onAbort { wait.settle(.failure($0.error)) }
            defer { state.withLock { _ = $0.runs[name]?.waiting.removeValue(forKey: number) } }
            return try await wait.value()
        }
    }

    private func begin(_ name: String) -> Start {
        let now = time.moment
        return state.withLock { state in
            if state.isClosed { return .fail(TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down")) }
            let isRunning = state.runs[name] != nil, mayRun = state.runs.count < Self.limit
            switch state.cache.decide(name, at: now) {
            case .use(let addresses): return .known(addresses, asks: false)
            case .useAndRefresh(let addresses):
                if !isRunning, mayRun { state.runs[name] = Run() }
                return .known(addresses, asks: !isRunning && mayRun)
            case .refuse(let reason): return .fail(Self.notFound(name, reason))
            case .ask:
                guard isRunning || mayRun else { return .fail(Self.notFound(name, "too many names are asked for")) }
                let wait = Settlement<[HostAddress]>()
                state.number += 1
                state.runs[name, default: Run()].waiting[state.number] = wait
                return .wait(wait, number: state.number, asks: !isRunning)
            }
        }
    }

    private func ask(_ name: String) {
        // LIFETIME: ends at the time limits of the resolvers, or at the shutdown.
        let task = Task.detached { [source] in
            do { self.finish(name, .success(try await source.answer(to: name))) } catch { self.finish(name, .failure(error)) }
        }
        let isClosed = state.withLock { state in
            state.runs[name]?.task = task
            return state.isClosed
        }
        if isClosed { task.cancel() }
    }

    private func finish(_ name: String, _ result: Result<NameAnswer, any Error>) {
        let now = time.moment
        let (waiting, outcome, _) = state.withLock { state -> ([Settlement<[HostAddress]>], Result<[HostAddress], any Error>, Run?) in
            let run = state.runs.removeValue(forKey: name), outcome: Result<[HostAddress], any Error>
            switch result {
            case .success(let answer):
                state.cache.keep(answer, for: name, at: now)
                outcome = answer.addresses.isEmpty ? .failure(Self.notFound(name, "it has no address")) : .success(answer.addresses)
            case .failure(let error):
                let reason = NameSource.reason(of: error)
                state.cache.fail(reason, for: name, at: now)
                outcome = .failure(Self.notFound(name, reason, cause: error))
            }
            return (run.map { Array($0.waiting.values) } ?? [], outcome, run)
        }
        for wait in waiting { wait.settle(outcome) }
    }

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
            for wait in run.waiting.values { wait.settle(.failure(error)) }
        }
        await source.shutdown()
    }
}
