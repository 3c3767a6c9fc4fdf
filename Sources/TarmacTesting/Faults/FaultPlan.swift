/// Decides which request meets which fault (pure): the same plan decides the same in every run, however calls interleave.
///
/// ```swift
/// FaultPlan.seeded(7, rate: 0.2)                                  // a fifth of all requests, by chance
/// FaultPlan.first(2, .status(503, retryAfter: 1))                 // the first two requests for each target
/// FaultPlan.script([nil, .loseResponse, .reset(atByte: 40)])      // request by request
/// FaultPlan.bursts(of: 5, every: 50, .status(503))                // an outage now and then
/// FaultPlan { $0.method == "POST" && $0.repetition == 1 ? .loseResponse : nil }
/// ```
public struct FaultPlan: Sendable {
    /// A request as it reaches the server.
    public struct Arrival: Hashable, Sendable {
        public let method: String
        /// Path and query.
        public let target: String
        /// How manyeth request of this method and target it is, from 1.
        public let repetition: Int
        /// How manyeth request of all, from 1; with calls side by side it depends on their order.
        public let number: Int

        public init(method: String, target: String, repetition: Int, number: Int) {
            self.method = method
            self.target = target
            self.repetition = repetition
            self.number = number
        }
    }

    private let decide: @Sendable (Arrival) -> Fault?

    /// - Parameter decide: the fault a request meets; `nil` for none.
    public init(_ decide: @escaping @Sendable (Arrival) -> Fault?) { self.decide = decide }

    /// The fault a request meets; `nil` for none.
    public func fault(of arrival: Arrival) -> Fault? { decide(arrival) }

    /// No fault at all.
    public static let none = FaultPlan { _ in nil }

    /// Faults by chance. What a request meets hangs on the seed, its method, its target and its repetition alone, so a test can
    /// ask the plan what is to come.
    ///
    /// - Parameters:
    ///   - rate: the part of requests that meet one, from 0 to 1.
    ///   - faults: what they meet, each as likely as the others. Default: ``Fault/prompt``.
    public static func seeded(_ seed: UInt64, rate: Double, _ faults: [Fault] = Fault.prompt) -> FaultPlan {
        FaultPlan { arrival in
            var generator = SeededGenerator(seed: seed ^ arrival.fingerprint)
            guard Double.random(in: 0..<1, using: &generator) < rate else { return nil }
            return faults.randomElement(using: &generator)
        }
    }

    /// The first so many requests for each method and target.
    public static func first(_ count: Int, _ fault: Fault) -> FaultPlan {
        FaultPlan { $0.repetition <= count ? fault : nil }
    }

    /// What the first, the second, … request of all meets; those behind the last meet none.
    public static func script(_ faults: [Fault?]) -> FaultPlan {
        FaultPlan { $0.number <= faults.count ? faults[$0.number - 1] : nil }
    }

    /// The last `length` of every `period` requests.
    public static func bursts(of length: Int, every period: Int, _ fault: Fault) -> FaultPlan {
        FaultPlan { ($0.number - 1) % max(period, 1) >= period - length ? fault : nil }
    }

    /// This plan, and the other for what meets nothing in this one.
    public func or(_ other: FaultPlan) -> FaultPlan {
        FaultPlan { fault(of: $0) ?? other.fault(of: $0) }
    }
}

extension FaultPlan.Arrival {
    /// Method, target and repetition as one number that is the same in every process: FNV-1a, 64 bit.
    var fingerprint: UInt64 {
        "\(method) \(target) \(repetition)".utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
