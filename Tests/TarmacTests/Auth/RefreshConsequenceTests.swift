import HTTPTypes
import Tarmac
import Testing

@testable import TarmacCore

/// A refresh token that is good for one use must not be sent a second time unless the server cannot have used it.
@Suite("The consequence of a failed refresh")
struct RefreshConsequenceTests {
    @Test(
        arguments: [
            (.cannotFindHost, .connecting, .retry), (.connectionRefused, .connecting, .retry), (.connectionFailed, .connecting, .retry),
            (.connectTimeout, .connecting, .retry), (.requestUnprocessed, .waiting, .retry), (.queueTimeout, .queued, .retry),
            (.circuitOpen, .connecting, .retry), (.connectionFailed, .sending, .unknown), (.connectionLost, .receiving, .unknown),
            (.timeout, .waiting, .unknown), (.truncatedBody, .receiving, .unknown),
            // A transport that reports no connection stays in this phase until the response begins.
            (.timeout, .connecting, .unknown), (.transportFailed, .connecting, .unknown),
            (.loggedOut, .authenticating, .logOut), (.untrustedCertificate, .connecting, .fail), (.invalidParameter, .building, .fail),
        ] as [(TarmacError.Code, TarmacError.Phase, RefreshConsequence)])
    func aFailureRepeatsOnlyWhatTheServerHasNotUsed(code: TarmacError.Code, phase: TarmacError.Phase, consequence: RefreshConsequence) {
        #expect(RefreshConsequence.standard(for: TarmacError(code, phase: phase)) == consequence)
    }

    @Test(
        arguments: [
            (400, .logOut), (401, .logOut), (403, .logOut), (404, .fail), (429, .retry), (500, .retry), (503, .retry),
        ] as [(Int, RefreshConsequence)])
    func aStatusDecides(status: Int, consequence: RefreshConsequence) {
        let snapshot = ResponseSnapshot(status: .init(code: status), headers: [:], body: .empty)
        #expect(RefreshConsequence.standard(for: TarmacError(.unacceptableStatus, phase: .judging).with(response: snapshot)) == consequence)
    }
}
