import TarmacCore
import TarmacResolver
import Testing

struct AddressVerdictTests {
    @Test(arguments: [TarmacError.Code.connectionRefused, .connectTimeout, .connectionFailed, .untrustedCertificate, .timeout, .deadlineExceeded])
    func addressWithoutAConnectionFails(_ code: TarmacError.Code) { #expect(AddressVerdict.of(code, hasConnected: false) == .fails) }

    @Test(arguments: [TarmacError.Code.clientShutDown, .bodyNotReplayable, nil]) func requestThatIsGivenUpSaysNothing(_ code: TarmacError.Code?) {
        #expect(AddressVerdict.of(code, hasConnected: false) == .unknown)
    }

    /// A connection that comes about is no proof: a port may be open before a server that hangs.
    @Test func addressThatConnectsAndNeverAnswersDoesNotWork() {
        #expect(AddressVerdict.of(.timeout, hasConnected: true) == .fails)
        #expect(AddressVerdict.of(.connectionLost, hasConnected: true) == .unknown)
        #expect(AddressVerdict.of(.timeout, hasConnected: true, isReused: true) == .unknown)
        #expect(AddressVerdict.of(.timeout, hasConnected: true, hasHead: true) == .works)
    }
}
