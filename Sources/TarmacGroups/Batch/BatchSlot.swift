import TarmacCore

/// A call of a batch of several kinds, and the place where its value is kept until all have landed.
final class BatchSlot<E: Endpoint>: BatchMember {
    private let endpoint: E
    private let state = Locked<Result<E.Value, any Error>?>(nil)

    init(_ endpoint: E) { self.endpoint = endpoint }

    var name: String { endpoint.endpointName }

    func fly(_ run: GroupRun) async throws {
        let value = try await run.land(endpoint)
        state.withLock { $0 = .success(value) }
    }

    func note(_ error: (any Error)?) {
        if let error { state.withLock { $0 = .failure(error) } }
    }

    /// What became of the call; one that never took off was cancelled.
    var outcome: Result<E.Value, any Error> { state.withLock { $0 } ?? .failure(CancellationError()) }

    var value: E.Value { get throws { try outcome.get() } }
}

/// A call of a batch, whatever it lands as.
protocol BatchMember: Sendable {
    var name: String { get }
    func fly(_ run: GroupRun) async throws
    func note(_ error: (any Error)?)
}

/// Lists of what stands in a parameter pack.
enum BatchSlots {
    static func count<each E>(_ element: repeat each E) -> Int {
        var count = 0
        for _ in repeat each element { count += 1 }
        return count
    }

    static func list<each Member: BatchMember>(_ member: repeat each Member) -> [any BatchMember] {
        var list: [any BatchMember] = []
        repeat list.append(each member)
        return list
    }
}
