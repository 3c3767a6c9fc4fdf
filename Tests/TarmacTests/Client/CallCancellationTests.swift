import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite("Cancellation of a call")
struct CallCancellationTests {
    private func exchange() -> Exchange { Exchange(delivery: .collected(limit: 1)) }

    @Test func everythingItWaitsInIsEndedOnce() {
        var call = CallCancellation()
        let (first, second, ticket) = (exchange(), exchange(), DispatchTicket())
        let refusals = [call.begin(first).isCancelled, call.begin(second).isCancelled, call.wait(ticket), call.add {}]
        #expect(refusals == [false, false, false, false])
        let ends = call.cancel()
        #expect(ends.exchange != nil && ends.others.count == 1 && ends.ticket != nil && ends.actions.count == 1)
        let again = call.cancel()
        #expect(again.exchange == nil && again.others.isEmpty && again.ticket == nil && again.actions.isEmpty)
    }

    @Test func nothingStartsAfterwards() {
        var call = CallCancellation()
        _ = call.cancel()
        #expect(call.isCancelled)
        let refusals = [call.begin(exchange()).isCancelled, call.wait(DispatchTicket()), call.add {}, call.land().wasCancelled]
        #expect(refusals == [true, true, true, true])
    }

    @Test func whatHasEndedIsNotKept() {
        var call = CallCancellation()
        var seen: [Weak] = []
        for _ in 0..<100 {
            let exchange = exchange()
            seen.append(Weak(exchange))
            _ = call.begin(exchange)
            exchange.report(.ended)
        }
        #expect(seen.count { $0.object != nil } <= 1)
    }

    @Test func aCallThatHasLandedStaysLanded() {
        var call = CallCancellation()
        _ = call.begin(exchange())
        let wasCancelled = call.land().wasCancelled
        let ends = call.cancel()
        #expect(!wasCancelled)
        #expect(ends.exchange == nil && ends.others.isEmpty)
        #expect(!call.isCancelled)
    }
}
