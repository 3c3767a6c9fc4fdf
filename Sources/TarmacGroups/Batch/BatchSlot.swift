@_spi(TarmacRooms) import TarmacCore

/// A work in a batch of several types, with its result until all have ended.
final class BatchSlot<W: Work>: BatchMember {
    private let work: W
    private let state = Locked<Result<W.Value, any Error>?>(nil)

    init(_ work: W) { self.work = work }

    var name: String { work.workName }

    func fly(_ run: GroupRun) async throws {
        let value = try await run.result(of: work).value
        state.withLock { $0 = .success(value) }
    }

    func note(_ error: (any Error)?) {
        if let error { state.withLock { $0 = .failure(error) } }
    }

    /// The result of the work. One that never started was cancelled.
    var outcome: Result<W.Value, any Error> { state.withLock { $0 } ?? .failure(CancellationError()) }

    var value: W.Value { get throws { try outcome.get() } }
}

/// A work in a batch, with any type of value.
protocol BatchMember: Sendable {
    var name: String { get }
    func fly(_ run: GroupRun) async throws
    func note(_ error: (any Error)?)
}

/// Lists of the elements of a parameter pack.
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
