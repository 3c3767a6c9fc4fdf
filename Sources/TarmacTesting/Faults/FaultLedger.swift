import TarmacCore

/// What a server was asked, what it did, and which faults it made: the truth that a client's own counts are held against.
public final class FaultLedger: Sendable {
    /// Something the server did. Two requests with the same of everything are the same deed done twice.
    public struct Deed: Hashable, Sendable, CustomStringConvertible {
        public let method: String
        /// Path and query.
        public let target: String
        /// The `Idempotency-Key` it came with.
        public let idempotencyKey: String?

        public init(_ method: String, _ target: String, idempotencyKey: String? = nil) {
            self.method = method
            self.target = target
            self.idempotencyKey = idempotencyKey
        }

        public var description: String { "\(method) \(target)" + (idempotencyKey.map { " with the key \($0)" } ?? "") }

        /// Whether doing it twice is the same as once: by its method (RFC 9110 §9.2.2), or because a server knows its key again.
        public var isRepeatable: Bool {
            idempotencyKey != nil || ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(method)
        }
    }

    private struct State {
        var arrivals: [String: Int] = [:]
        var total = 0
        var deeds: [Deed: Int] = [:]
        var faults: [Fault: Int] = [:]
    }
    private let state = Locked(State())

    public init() {}

    // MARK: What a test asks

    /// Everything the server did, and how often.
    public var deeds: [Deed: Int] { state.withLock { $0.deeds } }

    /// How often it did one thing.
    public func count(_ deed: Deed) -> Int { state.withLock { $0.deeds[deed] ?? 0 } }

    /// How many requests of a method and target reached it, acted on or not.
    public func arrivals(_ method: String, _ target: String) -> Int { state.withLock { $0.arrivals["\(method) \(target)"] ?? 0 } }

    /// How many requests reached it.
    public var arrivals: Int { state.withLock { $0.total } }

    /// Which faults it made, and how often.
    public var faults: [Fault: Int] { state.withLock { $0.faults } }

    /// What was done more than once although once was asked: the harm that repeats do. Sorted.
    public var harm: [Deed] {
        deeds.filter { $0.value > 1 && !$0.key.isRepeatable }.keys.sorted { "\($0)" < "\($1)" }
    }

    // MARK: For servers

    /// Notes a request and what the plan has for it; a request that is acted on counts as a deed at once.
    func fault(of deed: Deed, _ plan: FaultPlan, isStale: Bool = true) -> Fault? {
        let arrival = state.withLock { state -> FaultPlan.Arrival in
            let request = "\(deed.method) \(deed.target)"
            state.arrivals[request, default: 0] += 1
            state.total += 1
            return FaultPlan.Arrival(
                method: deed.method, target: deed.target, repetition: state.arrivals[request] ?? 1, number: state.total)
        }
        var fault = plan.fault(of: arrival)
        if fault == .staleConnection, !isStale { fault = nil }
        state.withLock { state in
            if let fault { state.faults[fault, default: 0] += 1 }
            if fault?.isActedOn ?? true { state.deeds[deed, default: 0] += 1 }
        }
        return fault
    }
}
