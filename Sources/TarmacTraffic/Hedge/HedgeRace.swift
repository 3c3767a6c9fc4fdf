import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// A call's request and its hedges. The call's own request runs in the call's task, so that a call without a hedge
/// needs no other task. Hedges run in their own tasks, which the race's entry in the engine's deadline heap starts.
final class HedgeRace: AttemptObserver, Sendable {
    private enum Timing { case ahead, running, over }
    private struct State {
        /// The call's own request while the transport has it.
        var exchange: Exchange?
        /// Only its first exchange is timed. A repeat after a refused token has waited for more than the server.
        var timing = Timing.ahead
        var hedges: [Task<Void, Never>] = []
        /// The number of hedges that have not ended.
        var flying = 0
        var winner: Response?
        /// The timer that sends the hedges while the transport has the call's own request.
        var timer: DeadlineEntry?
        /// The wait of the call after its own request has failed.
        var wait: CallWait?
        var isOver = false
    }
    private let state = Locked(State())
    private let request: Request
    private let chain: Chain
    private let rule: HedgeRule
    private let service: ServiceTraffic
    private let delay: Duration?
    private var context: CallContext { chain.context }

    /// - Parameter delay: the time after which the next request is sent. `nil` if the request is only timed.
    init(_ request: Request, _ chain: Chain, _ rule: HedgeRule, _ service: ServiceTraffic, delay: Duration?) {
        self.rule = rule
        self.service = service
        self.request = request
        self.chain = chain
        self.delay = delay
    }

    /// Sends a hedge after each delay.
    private struct Watch: DeadlineWatch {
        let race: HedgeRace
        let delay: Duration

        var isDone: Bool { race.state.withLock { $0.timing != .running } }

        func expire(_ now: Moment) -> Moment? {
            !isDone && race.hedge(after: delay) ? now + delay : nil
        }
    }

    /// Returns the first response, or throws the failure of the call's own request.
    nonisolated(nonsending) func fly() async throws -> Response {
        let own: Result<Response, any Error>
        do { own = .success(try await chain.attaching(AttemptObservation(observer: self)).proceed(request)) } catch { own = .failure(error) }
        guard !own.isAnswer, let wait = conclude(own) else { return try finish(own) }
        do { try await wait.value(for: context) } catch {
            end()
            throw error
        }
        return try finish(own)
    }

    /// Returns the wait for the hedges, or `nil` if there is nothing to wait for.
    private func conclude(_ own: Result<Response, any Error>) -> CallWait? {
        state.withLock { state in
            guard !own.isCancelled, state.winner == nil, state.flying > 0 else { return nil }
            let wait = CallWait(late: context.deadlineExceeded(.waiting))
            state.wait = wait
            return wait
        }
    }

    private func finish(_ own: Result<Response, any Error>) throws -> Response {
        let winner = end()
        // The race cancelled the request, not the call's owner.
        guard !own.isAnswer, let winner, !Task.isCancelled, !context.isCancelled else { return try own.get() }
        context.emit(TrafficEvent.hedgeWon)
        return winner
    }

    /// Cancels all requests in flight. Returns the response of a hedge that has won.
    @discardableResult
    private func end() -> Response? {
        let (hedges, winner) = state.withLock { state in
            state.isOver = true
            defer { state.hedges = [] }
            return (state.hedges, state.winner)
        }
        for hedge in hedges { hedge.cancel() }
        return winner
    }

    // MARK: The call's own request

    /// Starts the timing, because the request goes to the transport.
    func attemptBegan(_ exchange: Exchange, at start: Moment) {
        let (isLost, timer, _) = state.withLock { state -> (Bool, DeadlineEntry?, before: Exchange?) in
            let before = state.exchange
            state.exchange = exchange
            if state.timing == .ahead {
                state.timing = .running
                state.timer = delay.map { DeadlineTimer(Watch(race: self, delay: $0), in: context.deadlines) }
                return (state.winner != nil, state.timer, before)
            }
            return (state.winner != nil, nil, before)
        }
        if isLost { exchange.abort(.cancelled) }
        if let timer, let delay { timer.start(at: start + delay) }
    }

    /// Ends the timing.
    func attemptEnded(since start: Moment, status: HTTPResponse.Status?) {
        let isAnswer = status.map(HedgePolicy.isAnswer) ?? false
        let (wasTimed, isLost, timer, _) = state.withLock { state in
            defer { (state.exchange, state.timing, state.timer) = (nil, .over, nil) }
            return (state.timing == .running, state.winner != nil, state.timer, state.exchange)
        }
        guard wasTimed else { return }
        timer?.stop()
        // A request that lost the race would have taken longer. Without it, slow requests would seem rarer than they
        // are.
        if isAnswer || isLost { service.noteLatency(context.time.moment - start) }
    }

    // MARK: Hedges

    /// Sends a hedge if one is left. Returns whether there may be more after it.
    func hedge(after delay: Duration) -> Bool {
        let mayFly = state.withLock { !$0.isOver && $0.winner == nil && $0.hedges.count < rule.maximum }
        guard mayFly, service.takeHedge(of: request.url.origin, rule), let work = context.beginWork() else { return false }
        context.emit(TrafficEvent.hedged(after: delay))
        return state.withLock { state in
            state.flying += 1
            // LIFETIME: ends with its request, which the end of the race cancels; a shutdown waits for it.
            let task = Task { [self] in
                await flyHedge()
                work.end()
            }
            state.hedges.append(task)
            if state.isOver { task.cancel() }
            return state.hedges.count < rule.maximum
        }
    }

    private func flyHedge() async {
        var end = Result<Void, any Error>.success(())
        do {
            let response = try await chain.proceed(request)
            if HedgePolicy.isAnswer(response.status) { return win(response) }
        } catch let error as TarmacError where error.code == .clientShutDown {
            // The error is not only about the hedge.
            end = .failure(error)
        } catch {}
        let wait = state.withLock { state in
            state.flying -= 1
            return state.flying == 0 ? state.wait : nil
        }
        wait?.settle(end)
    }

    private func win(_ response: Response) {
        let (wait, exchange) = state.withLock { state -> (CallWait?, Exchange?) in
            state.flying -= 1
            guard state.winner == nil, !state.isOver else { return (nil, nil) }
            state.winner = response
            return (state.wait, state.exchange)
        }
        exchange?.abort(.cancelled)
        wait?.settle(.success(()))
    }
}

extension Result where Success == Response, Failure == any Error {
    fileprivate var isAnswer: Bool { if case .success(let response) = self { HedgePolicy.isAnswer(response.status) } else { false } }
    fileprivate var isCancelled: Bool { if case .failure(is CancellationError) = self { true } else { false } }
}
