@testable import TarmacURLSession
import Testing

@Suite struct BrakeStateTests {
    @Test func aHoldSuspendsAndItsReleaseResumes() {
        var state = BrakeState()
        #expect(state.next() == nil)
        state.hold()
        #expect(state.next() == .suspend)
        #expect(state.next() == nil)
        state.release()
        #expect(state.next() == .resume)
        #expect(state.next() == nil)
    }

    @Test func aReleaseThatOvertakesItsHoldLeavesTheTaskRunning() {
        var state = BrakeState()
        state.release()
        #expect(state.next() == nil)
        state.hold()
        #expect(state.next() == nil)
        state.hold()
        #expect(state.next() == .suspend)
    }

    @Test func aHoldThatIsOverBeforeTheNextStepIsNone() {
        var state = BrakeState()
        state.hold()
        state.release()
        #expect(state.next() == nil)
    }
}
