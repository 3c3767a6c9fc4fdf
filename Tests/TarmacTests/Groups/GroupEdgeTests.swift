import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacGroups
@testable import TarmacPresentation

/// What groups and scopes do at their edges: nothing to do, nowhere to do it, somebody else's error.
@Suite("Edges of groups", .timeLimit(.minutes(5)))
struct GroupEdgeTests {
    @Test func anEmptyGroupIsAtItsEnd() async throws {
        let client = Client(ItemServer().stub)
        let board = ProgressBoard()
        _ = try await Batch([Item]()).run(on: client, progress: board.note)
        _ = try await Batch(allOrNothing: [Item]()).run(on: client, progress: board.note)
        _ = try await RequestChain(value: 1).run(on: client, progress: board.note)
        _ = try await RequestGraph().run(on: client, progress: board.note)
        #expect(board.reports.value.map(\.fraction) == [1, 1, 1, 1])
    }

    @Test func anEmptyGroupOfAClientThatWasShutDownFails() async throws {
        let client = Client(ItemServer().stub)
        await client.shutdown()
        let runs: [@Sendable () async throws -> Void] = [
            { _ = try await Batch([Item]()).run(on: client) }, { _ = try await Batch(allOrNothing: [Item]()).run(on: client) },
            { _ = try await RequestChain(value: 1).run(on: client) }, { _ = try await RequestGraph().run(on: client) },
        ]
        for run in runs { #expect(await failure(of: run)?.code == .clientShutDown) }
        let outcomes = try await Batch([Item(id: 1)]).run(on: client)
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
