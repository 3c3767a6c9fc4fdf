import TarmacCore

/// The circuit of one host: closed, open, or half open (pure).
struct CircuitBreaker {
    typealias Instant = Moment

    private enum Phase {
        case closed
        case open(until: Instant)
        /// The probes in flight, and those that have succeeded.
        case halfOpen(flying: Int, succeeded: Int)
    }
    private var phase = Phase.closed
    private var window = FailureWindow()
    /// The number of the phase. A request that was admitted in an earlier phase says nothing about the current one.
    private var generation = 0

    /// The pass of an admitted request.
    struct Pass: Equatable { fileprivate let generation: Int }

    enum Admission: Equatable {
        case pass(Pass)
        case refuse(remaining: Duration)
    }
    enum Outcome { case success, failure, unknown }
    enum Change: Equatable { case opened, closed }

    mutating func admit(_ rule: CircuitBreakerRule, now: @autoclosure () -> Instant) -> Admission {
        if case .open(let until) = phase {
            let now = now()
            guard now >= until else { return .refuse(remaining: until - now) }
            enter(.halfOpen(flying: 0, succeeded: 0))
        }
        if case .halfOpen(let flying, let succeeded) = phase {
            guard flying + succeeded < rule.probes else { return .refuse(remaining: .zero) }
            phase = .halfOpen(flying: flying + 1, succeeded: succeeded)
        }
        return .pass(Pass(generation: generation))
    }

    /// Records the outcome of a request. Each pass is returned once.
    mutating func record(_ outcome: Outcome, of pass: Pass, _ rule: CircuitBreakerRule, now: Instant) -> Change? {
        guard pass.generation == generation else { return nil }
        switch phase {
        case .closed: return recordClosed(outcome, rule, now)
        case .open: return nil
        case .halfOpen(let flying, let succeeded):
            switch outcome {
            case .unknown: phase = .halfOpen(flying: flying - 1, succeeded: succeeded)
            case .failure: return open(rule, now)
            case .success where succeeded + 1 >= rule.probes:
                enter(.closed)
                return .closed
            case .success: phase = .halfOpen(flying: flying - 1, succeeded: succeeded + 1)
            }
            return nil
        }
    }

    private mutating func recordClosed(_ outcome: Outcome, _ rule: CircuitBreakerRule, _ now: Instant) -> Change? {
        if outcome == .unknown { return nil }
        let counts = window.add(isFailure: outcome == .failure, slice: rule.slice, now: now)
        guard outcome == .failure, counts.all >= rule.minimumRequests else { return nil }
        return Double(counts.failures) >= rule.failureRatio * Double(counts.all) ? open(rule, now) : nil
    }

    private mutating func open(_ rule: CircuitBreakerRule, _ now: Instant) -> Change {
        enter(.open(until: now + rule.openDuration))
        return .opened
    }

    private mutating func enter(_ phase: Phase) {
        self.phase = phase
        generation += 1
        window = FailureWindow()
    }
}
