import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
@Suite("BQRequest: how calls land, and their limits", .timeLimit(.minutes(5)))
struct BQLandingTests {
    // BQ-B1: calls that fail and calls that are cancelled land once too, however fast.
    @Test func noFailureAndNoCancellationIsLost() async {
        let (client, screen) = (Client(StubTransport { _ in .status(.notFound) }), Screen())
        for index in 0..<100 {
            let handle = client.start(GetUser(id: 7), owner: screen) { $0.userLanded($1) }
            // Landings come on this actor, so none has come yet.
            if index.isMultiple(of: 2) { handle.cancel() }
        }
        while screen.landings.count < 100 { await Task.yield() }
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 100)
        #expect(screen.landings.filter { $0.error is CancellationError }.count == 50)
        #expect(screen.landings.filter { ($0.error as? TarmacError)?.status == .notFound }.count == 50)
    }

    // BQ-5: a call that lands before its task is known does not keep it either.
    @Test func aCallThatLandsBeforeItsTaskIsKnownKeepsNoTask() {
        let handle = CallHandle()
        _ = handle.land(Result<Int, any Error>.success(7))
        handle.fly(Task {})
        #expect(handle.hasLanded && !handle.holdsTask)
    }

    // BQ-11: the session has no limit of its own, which would end a call before the limit of the call does.
    @Test func theSessionHasNoLimitOfItsOwn() throws {
        let configuration = try SessionSettings(ConnectionSettings()).configuration
        let aYear = 31_536_000.0
        #expect(configuration.timeoutIntervalForRequest >= aYear && configuration.timeoutIntervalForResource >= aYear)
    }
}
