import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Settlement")
struct SettlementTests {
    @Test func theFirstResultCounts() async throws {
        let settlement = Settlement<Int>()
        #expect(!settlement.isSettled)
        #expect(settlement.settle(.success(1)))
        #expect(settlement.isSettled)
        #expect(!settlement.settle(.success(2)))
        var begun: [Bool] = []
        #expect(try await settlement.value { begun.append($0) } == 1)
        #expect(begun == [false] && settlement.isSettled)
    }

    @Test func aResultEndsTheWait() async throws {
        let settlement = Settlement<Int>(), copy = settlement
        var begun: [Bool] = []
        let value = try await settlement.value {
            begun.append($0)
            copy.settle(.success(3))
        }
        #expect(value == 3 && begun == [true] && copy.isSettled && !copy.settle(.success(4)))
    }

    @Test func aFailureIsThrown() async {
        let settlement = Settlement<Void>()
        settlement.settle(.failure(TarmacError(.queueTimeout, phase: .queued)))
        await #expect(throws: TarmacError.self) { try await settlement.value() }
    }

    @Test func aCancelledTaskDoesNotWait() async {
        let settlement = Settlement<Int>()
        let task = Task { try await settlement.value() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(settlement.isSettled && !settlement.settle(.success(1)))
    }

    /// Of many that settle at once one is the first.
    @Test func oneOfManyIsFirst() async throws {
        let settlement = Settlement<Int>()
        let firsts = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<100 { group.addTask { settlement.settle(.success(number)) ? number : nil } }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(firsts == [try await settlement.value()])
    }
}
