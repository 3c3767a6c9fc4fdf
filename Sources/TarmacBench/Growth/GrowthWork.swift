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
    /// What is done once, such as `an entry enqueued and sent`.
    var unit: String { get }
    /// The sizes to measure at, the smallest first.
    var sizes: [Int] { get }

    /// Builds what has grown to `size`, and returns the work of one unit.
    func prepare(size: Int) async throws -> @Sendable () async throws -> Void
}
#endif
