import HTTPTypes
import Tarmac
import TarmacTraffic
import Testing

@testable import TarmacCore

/// A login ends with a refusal of the server only.
@Suite("The consequence of a failed refresh")
struct RefreshConsequenceTests {
    @Test(
        arguments: [
            (.cannotFindHost, .connecting, .retry), (.connectionRefused, .connecting, .retry), (.connectionFailed, .connecting, .retry),
            (.connectTimeout, .connecting, .retry), (.requestUnprocessed, .waiting, .retry), (.queueTimeout, .queued, .retry),
            (.circuitOpen, .connecting, .retry), (.connectionFailed, .sending, .retry), (.connectionLost, .receiving, .retry),
            (.timeout, .waiting, .retry), (.truncatedBody, .receiving, .retry),
            // A transport that reports no connection stays in this phase until the response begins.
            (.timeout, .connecting, .retry), (.transportFailed, .connecting, .retry),
            (.loggedOut, .authenticating, .logOut), (.untrustedCertificate, .connecting, .fail), (.invalidParameter, .building, .fail),
        ] as [(TarmacError.Code, TarmacError.Phase, RefreshConsequence)])
    func aFailureWithoutAnAnswerNeverEndsTheLogin(code: TarmacError.Code, phase: TarmacError.Phase, consequence: RefreshConsequence) {
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

    /// A proxy or a captive portal answers in place of the server.
    @Test(arguments: [(400, .fail), (401, .logOut), (403, .fail), (503, .retry), (200, .fail)] as [(Int, RefreshConsequence)])
    func aPageOfHTMLRefusesNoLogin(status: Int, consequence: RefreshConsequence) {
        let snapshot = ResponseSnapshot(status: .init(code: status), headers: [.contentType: "Text/HTML; charset=utf-8"], body: .empty)
        #expect(RefreshConsequence.standard(for: TarmacError(.unacceptableStatus, phase: .judging).with(response: snapshot)) == consequence)
    }
}
