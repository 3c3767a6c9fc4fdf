@_spi(TarmacRooms) import TarmacCore

/// The requests, actions and faults of a server, to compare with a client's own counts.
public final class FaultLedger: Sendable {
    /// An action of the server. Two requests with equal properties are one action done twice.
    public struct Deed: Hashable, Sendable, CustomStringConvertible {
        public let method: String
        /// Path and query.
        public let target: String
        /// The `Idempotency-Key` of the request.
        public let idempotencyKey: String?

        public init(_ method: String, _ target: String, idempotencyKey: String? = nil) {
            self.method = method
            self.target = target
            self.idempotencyKey = idempotencyKey
        }

        public var description: String { "\(method) \(target)" + (idempotencyKey.map { " with the key \($0)" } ?? "") }

        /// Whether a repetition has no further effect: by the method (RFC 9110 §9.2.2), or because the server knows the
        /// key.
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

    // MARK: For tests

    /// The actions of the server, with their counts.
    public var deeds: [Deed: Int] { state.withLock { $0.deeds } }

    /// Returns the count of an action.
    public func count(_ deed: Deed) -> Int { state.withLock { $0.deeds[deed] ?? 0 } }

    /// Returns the number of requests with a method and target, acted on or not.
    public func arrivals(_ method: String, _ target: String) -> Int { state.withLock { $0.arrivals["\(method) \(target)"] ?? 0 } }

    /// The number of all requests.
    public var arrivals: Int { state.withLock { $0.total } }

    /// The faults produced, with their counts.
    public var faults: [Fault: Int] { state.withLock { $0.faults } }

    /// The actions that were done more than once and are not repeatable, sorted: the harm of repeated requests.
    public var harm: [Deed] {
        deeds.filter { $0.value > 1 && !$0.key.isRepeatable }.keys.sorted { "\($0)" < "\($1)" }
    }

    // MARK: For servers

    /// Notes a request and returns its fault. A request that is acted on counts as an action at once.
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
