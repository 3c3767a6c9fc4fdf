import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
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
        await eventually { screen.landings.count >= 100 }
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 100)
        #expect(screen.landings.filter { $0.error is CancellationError }.count == 50)
        #expect(screen.landings.filter { ($0.error as? TarmacError)?.status == .notFound }.count == 50)
    }

    // BQ-B1: a held call lands as often as it is started, also where it was cancelled and started again before it has landed: its owner's
    // method hears of each flight once, and so does a delegate.
    @Test func noLandingOfAHeldCallIsLost() async throws {
        @MainActor final class Delegate: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            var landed: [AnyCall] = []
            func callDidLand(_ call: AnyCall) { landed.append(call) }
        }
        let (client, screen, delegate) = (Client(.user), Screen(), Delegate())
        let call = client.call(GetUser(id: 7), owner: screen, landed: Screen.userLanded)
        let told = client.call(GetUser(id: 7), delegate: delegate)
        for _ in 0..<50 {
            call.start()
            call.cancel()
            told.start()
            told.cancel()
        }
        call.start()
        told.start()
        await eventually { screen.landings.count >= 51 && delegate.landed.count >= 51 }
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 51 && delegate.landed.count == 51)
        #expect(screen.landings.filter { $0.error is CancellationError }.count == 50)
        #expect(delegate.landed.allSatisfy { $0 === told })
        #expect(try call.result?.get().id == 7)
        #expect(told.hasSucceeded)
    }

    // BQ-B1, YTK-B20: a call that lands off the main actor lands once too, however fast.
    @Test func noLandingOffTheMainActorIsLost() async throws {
        final class Model: LifetimeOwner, Sendable { let lifetime = Lifetime() }
        let (client, model, landed) = (Client(.user), Model(), Watched(0))
        for _ in 0..<100 { client.startAnywhere(GetUser(id: 7), owner: model) { _, _ in landed.update { $0 += 1 } } }
        try await landed.wait { $0 >= 100 }
        await eventually { model.lifetime.callsInFlight == 0 }
        for _ in 0..<50 { await Task.yield() }
        #expect(landed.value == 100)
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
