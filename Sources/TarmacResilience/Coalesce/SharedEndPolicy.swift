import TarmacCore

/// Decides whether a call that waited for the request of another one asks again after that one's failure (pure).
///
/// A request ends by the settings of the call that sends it. Its failure is also that of the calls whose own settings go no further.
struct SharedEndPolicy: Sendable {
    private let retry: RetryPolicy
    private let waitsForConnectivity: Bool
    private let deadline, queueTimeout: TimeLimit
    /// The limits of one attempt.
    private let limits: [TimeLimit]

    init(_ values: OptionValues) {
        retry = RetryPolicy(rule: values.value(of: Settings.retry), retryableCodes: values.envelope.retryable)
        waitsForConnectivity = values.value(of: Settings.waitsForConnectivity)
        (deadline, queueTimeout) = (values.deadline, values.queueTimeout)
        limits = [values.timeout, values.connectTimeout, values.idleTimeout]
    }

    /// Whether the call goes on after a failure with which a call with other settings has ended.
    func goesOn(after failure: TarmacError, of leader: Self) -> Bool {
        if failure.code == .queueTimeout, queueTimeout.ofSlot.isLonger(than: leader.queueTimeout.ofSlot) { return true }
        if failure.code.isHeldBack { return waitsLonger(than: leader) }
        if failure.code.category == .timeout, zip(limits, leader.limits).contains(where: { $0.isLonger(than: $1) }) { return true }
        return repeats(failure, longerThan: leader) || awaitsNetwork(failure, longerThan: leader)
    }

    private func waitsLonger(than leader: Self) -> Bool {
        queueTimeout.isLonger(than: leader.queueTimeout) || deadline.isLonger(than: leader.deadline)
    }

    private func repeats(_ failure: TarmacError, longerThan leader: Self) -> Bool {
        guard retry.rule.retries, retry.isTransient(failure) else { return false }
        return retry.rule.maxAttempts > leader.retry.rule.maxAttempts || retry.rule.maximumRetryAfter > leader.retry.rule.maximumRetryAfter
            || deadline.isLonger(than: leader.deadline) || !leader.retry.isTransient(failure)
    }

    private func awaitsNetwork(_ failure: TarmacError, longerThan leader: Self) -> Bool {
        guard waitsForConnectivity, ConnectivityPolicy.isUnreachable(failure) else { return false }
        return !leader.waitsForConnectivity || waitsLonger(than: leader)
    }
}

extension TimeLimit {
    fileprivate func isLonger(than other: TimeLimit) -> Bool {
        guard let limit = other.duration else { return false }
        return duration.map { $0 > limit } ?? true
    }
}
