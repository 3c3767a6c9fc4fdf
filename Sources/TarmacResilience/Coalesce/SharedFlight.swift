import TarmacJSON

@_spi(TarmacRooms) import TarmacCore

/// One request for several identical calls.
///
/// It belongs to the service, not to the call that began it. It ends with its answer, or when no call waits for it.
final class SharedFlight: SharedWork, SharedRequest {
    let key: CoalesceKey
    /// The id of the call that began it.
    let id: UInt64
    /// The number of the last change before it.
    let mark: UInt64
    private let coalescer: Coalescer
    /// The actions on the response that only one of the calls may take.
    let rights = SharingRights()
    let needs: SharingRules
    private let state: Locked<State>
    static let firstPlace = 0

    fileprivate struct State {
        /// The waiting calls, by their order of arrival.
        var waits: [Int: CoalesceWait]
        var entered = 1
        /// Whether no further call can enter.
        var isOver = false
        var attempts = 0
        var history = AttemptHistory()
        /// The start of the current attempt.
        var attemptStart: Moment?
        var task: Task<Void, Never>?
    }

    init(_ key: CoalesceKey, of coalescer: Coalescer, ledBy wait: CoalesceWait, since mark: UInt64) {
        self.key = key
        self.mark = mark
        self.coalescer = coalescer
        id = wait.context.id
        needs = SharingRules(wait.context)
        state = Locked(State(waits: [Self.firstPlace: wait]))
    }

    // MARK: Waiting calls

    /// Adds a call and returns its place, or `nil` once the flight is over.
    func enter(_ wait: CoalesceWait) -> Int? { state.withLock { $0.enter(wait) } }

    /// Removes a call, answered or not. The last one ends the flight.
    func leave(_ place: Int, _ call: CallContext) {
        let (attempts, history, task, isLast, _) = state.withLock { state in
            let wait = state.waits[place]
            return (state.attempts, state.history, state.task, state.leave(place), wait)
        }
        call.addAttempts(attempts, history)
        guard isLast else { return }
        coalescer.remove(self)
        task?.cancel()
    }

    /// The start of the current attempt.
    var attemptStart: Moment? { state.withLock { $0.attemptStart } }

    // MARK: The flight

    func start(_ request: Request, _ chain: Chain) {
        guard let work = chain.context.beginWork() else { return land(.failure(TarmacError.clientShutDown)) }
        let chain = chain.flown(by: chain.context.detached(for: self))
        // LIFETIME: ends with its answer, or when the last waiting call leaves; a shutdown waits for it.
        let task = Task { [self] in
            let result: Result<Response, any Error>
            do { result = .success(try await chain.proceed(request)) } catch { result = .failure(error) }
            chain.context.forgetWaits()
            land(result)
            work.end()
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.task = task }
            return state.isOver
        }
        // All calls may have left between entering and now.
        if isOver { task.cancel() }
    }

    private func land(_ result: Result<Response, any Error>) {
        coalescer.remove(self)
        let shared = result.mapError { SharedFailure(error: $0) }
        for wait in state.withLock({ $0.land() }) { wait.settle(shared) }
    }

    // MARK: Events

    var isObserved: Bool { state.withLock { $0.first }?.context.isObserved == true }

    /// Emits an event to the observers of the call that has waited longest.
    func tell(_ kind: CallEvent.Kind) {
        let told = state.withLock { state in state.first.map { ($0, state.attempts) } }
        if let (wait, attempts) = told { wait.context.emit(kind, attempt: wait.context.attempts + attempts) }
    }

    func noteAttempt(at start: Moment) {
        state.withLock { state in
            state.attempts += 1
            state.attemptStart = start
        }
    }

    func note(_ timings: AttemptTimings) {
        state.withLock { state in
            state.attemptStart = nil
            state.history.append(timings)
        }
    }
}

extension SharedFlight.State {
    fileprivate mutating func enter(_ wait: CoalesceWait) -> Int? {
        if isOver { return nil }
        defer { entered += 1 }
        waits[entered] = wait
        return entered
    }

    /// Removes a call. Returns whether it was the last one of a flight that has no response yet.
    fileprivate mutating func leave(_ place: Int) -> Bool {
        guard waits.removeValue(forKey: place) != nil, waits.isEmpty, !isOver else { return false }
        isOver = true
        return true
    }

    fileprivate mutating func land() -> [CoalesceWait] {
        isOver = true
        task = nil
        defer { waits = [:] }
        // Nearly always only one call waits.
        if waits.count == 1, let only = waits.first { return [only.value] }
        return waits.ordered { $0.key < $1.key }.map(\.value)
    }

    fileprivate var first: CoalesceWait? { waits.count == 1 ? waits.first?.value : waits.min { $0.key < $1.key }?.value }
}
