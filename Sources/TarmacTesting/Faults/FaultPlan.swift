/// Decides which request has which fault (pure). A plan decides the same in every run, however calls interleave.
///
/// ```swift
/// FaultPlan.seeded(7, rate: 0.2)                                  // a fifth of all requests, by chance
/// FaultPlan.first(2, .status(503, retryAfter: 1))                 // the first two requests for each target
/// FaultPlan.script([nil, .loseResponse, .reset(atByte: 40)])      // request by request
/// FaultPlan.bursts(of: 5, every: 50, .status(503))                // an outage now and then
/// FaultPlan { $0.method == "POST" && $0.repetition == 1 ? .loseResponse : nil }
/// ```
public struct FaultPlan: Sendable {
    /// A request that reaches the server.
    public struct Arrival: Hashable, Sendable {
        public let method: String
        /// The path and query.
        public let target: String
        /// The number of the request among those of its method and target, from 1.
        public let repetition: Int
        /// The number of the request among all, from 1. With concurrent calls it depends on their order.
        public let number: Int

        public init(method: String, target: String, repetition: Int, number: Int) {
            self.method = method
            self.target = target
            self.repetition = repetition
            self.number = number
        }
    }

    private let decide: @Sendable (Arrival) -> Fault?

    /// - Parameter decide: Returns the fault of a request; `nil` for none.
    public init(_ decide: @escaping @Sendable (Arrival) -> Fault?) { self.decide = decide }

    /// Returns the fault of a request; `nil` for none.
    public func fault(of arrival: Arrival) -> Fault? { decide(arrival) }

    /// A plan without faults.
    public static let none = FaultPlan { _ in nil }

    /// Returns a plan with random faults. The fault of a request depends only on the seed, its method, its target and
    /// its repetition, so that a test can ask the plan in advance.
    ///
    /// - Parameters:
    ///   - seed: The seed. Plans with the same seed, rate and faults decide the same.
    ///   - rate: The share of requests with a fault, from 0 to 1.
    ///   - faults: The faults, each equally likely. Default: ``Fault/prompt``.
    public static func seeded(_ seed: UInt64, rate: Double, _ faults: [Fault] = Fault.prompt) -> FaultPlan {
        FaultPlan { arrival in
            var generator = SeededGenerator(seed: seed ^ arrival.fingerprint)
            guard Double.random(in: 0..<1, using: &generator) < rate else { return nil }
            return faults.randomElement(using: &generator)
        }
    }

    /// Returns a plan with a fault for the first requests of each method and target.
    public static func first(_ count: Int, _ fault: Fault) -> FaultPlan {
        FaultPlan { $0.repetition <= count ? fault : nil }
    }

    /// Returns a plan with the faults of the first, second, … request; later requests have none.
    public static func script(_ faults: [Fault?]) -> FaultPlan {
        FaultPlan { $0.number <= faults.count ? faults[$0.number - 1] : nil }
    }

    /// Returns a plan with a fault for the last `length` of every `period` requests.
    public static func bursts(of length: Int, every period: Int, _ fault: Fault) -> FaultPlan {
        FaultPlan { ($0.number - 1) % max(period, 1) >= period - length ? fault : nil }
    }

    /// Returns a plan that uses the other one for requests without a fault in this one.
    public func or(_ other: FaultPlan) -> FaultPlan {
        FaultPlan { fault(of: $0) ?? other.fault(of: $0) }
    }
}

extension FaultPlan.Arrival {
    /// Method, target and repetition as a number that is the same in every process: FNV-1a, 64 bit.
    var fingerprint: UInt64 {
        "\(method) \(target) \(repetition)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
