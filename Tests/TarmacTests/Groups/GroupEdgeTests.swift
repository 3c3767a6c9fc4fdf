import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacGroups
@testable import TarmacPresentation

/// What groups and scopes do at their edges: nothing to do, nowhere to do it, somebody else's error.
@Suite("Edges of groups", .timeLimit(.minutes(5)))
struct GroupEdgeTests {
    @Test func anEmptyGroupIsAtItsEnd() async throws {
        let client = Client(ItemServer().stub)
        let board = ProgressBoard()
        _ = try await client.send(Batch([Item]()), progress: board.note)
        _ = try await client.send(Batch(allOrNothing: [Item]()), progress: board.note)
        _ = try await client.send(RequestChain(value: 1), progress: board.note)
        _ = try await client.send(RequestGraph(), progress: board.note)
        #expect(board.reports.value.map(\.fraction) == [1, 1, 1, 1])
    }

    @Test func anEmptyGroupOfAClientThatWasShutDownFails() async throws {
        let client = Client(ItemServer().stub)
        await client.shutdown()
        let runs: [@Sendable () async throws -> Void] = [
            { _ = try await client.send(Batch([Item]())) }, { _ = try await client.send(Batch(allOrNothing: [Item]())) },
            { _ = try await client.send(RequestChain(value: 1)) }, { _ = try await client.send(RequestGraph()) },
        ]
        for run in runs { #expect(await failure(of: run)?.code == .clientShutDown) }
        let outcomes = try await client.send(Batch([Item(id: 1)]))
        #expect(outcomes.texts == ["clientShutDown"])
    }

    private func failure(of run: () async throws -> Void) async -> TarmacError? {
        do { try await run() } catch { return error as? TarmacError }
        return nil
    }

    /// Law 2.
    @Test func whatTheScopeOfACallerThrowsIsTheCauseOfAnError() async throws {
        let client = Client(ItemServer().stub)
        let error = await #expect(throws: TarmacError.self) { try await client.presenting { _ in throw Foreign() } }
        #expect(error?.code == .callerFailed && error?.cause(as: Foreign.self) == Foreign())
        await #expect(throws: CancellationError.self) { try await client.presenting { _ in throw CancellationError() } }
    }
}
