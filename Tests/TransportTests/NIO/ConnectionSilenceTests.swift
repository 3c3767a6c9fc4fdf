#if NIO
import NIOCore
import Testing

@testable import TarmacNIO

struct ConnectionSilenceTests {
    @Test func aConnectionThatAnswersNothingForAWhileIsLeft() {
        let start = NIODeadline.now()
        var silence = ConnectionSilence()
        // Requests that are cancelled one after another, and an answer before the last ones.
        var isLeft = [0, 4, 5].map { silence.giveUp(at: start + .seconds($0)) }
        silence.end()
        isLeft += [20, 25].map { silence.giveUp(at: start + .seconds($0)) }
        #expect(isLeft == [false, false, true, false, true])
    }
}
#endif
