#if Tools
/// Work whose cost a unit is measured while something grows, such as the number of lanes of an outbox.
///
/// ```swift
/// let unit = try await work.prepare(size: 10_000)
/// for _ in 0..<1_000 { try await unit() }
/// ```
protocol GrowthWork: Sendable {
    /// The name of the row, such as `lanes of an outbox in memory`.
    var name: String { get }
    /// The work that is done once, such as `an entry enqueued and sent`.
    var unit: String { get }
    /// The sizes to measure at, the smallest first.
    var sizes: [Int] { get }

    /// Builds what has grown to `size`, and returns the work of one unit.
    func prepare(size: Int) async throws -> @Sendable () async throws -> Void
    /// The units that one run of the prepared work does. Default: one.
    func units(size: Int) -> Int
    /// The figure itself, where it is no processor time. Default: `nil`.
    func figure(size: Int) async throws -> Double?
}

extension GrowthWork {
    func units(size: Int) -> Int { 1 }
    func figure(size: Int) async throws -> Double? { nil }
}

/// A work made of a closure.
struct GrowthCase: GrowthWork {
    let name: String
    let unit: String
    let sizes: [Int]
    /// Whether one run does as many units as the size says.
    var isPerItem = true
    let make: @Sendable (Int) async throws -> @Sendable () async throws -> Void

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void { try await make(size) }
    func units(size: Int) -> Int { isPerItem ? size : 1 }
}

/// A figure that is measured in another way than by processor time, such as memory.
struct GrowthMeasure: GrowthWork {
    let name: String
    let unit: String
    let sizes: [Int]
    let measure: @Sendable (Int) async throws -> Double

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void { {} }
    func figure(size: Int) async throws -> Double? { try await measure(size) }
}
#endif
