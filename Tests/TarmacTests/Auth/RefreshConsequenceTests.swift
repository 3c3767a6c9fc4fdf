import HTTPTypes
import Tarmac
import TarmacTraffic
import Testing

@testable import TarmacCore
@testable import TarmacHTTP

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
    @Test(
        arguments: [(400, .fail), (401, .fail), (403, .fail), (407, .fail), (503, .retry), (511, .retry), (200, .fail)] as [(Int, RefreshConsequence)],
        ["Text/HTML; charset=utf-8", "application/xhtml+xml"])
    func aPageOfHTMLRefusesNoLogin(row: (Int, RefreshConsequence), type: String) {
        for body in ["", "<html>Log in to the network</html>"] {
            let snapshot = ResponseSnapshot(status: .init(code: row.0), headers: [.contentType: type], body: Bytes(body))
            #expect(RefreshConsequence.standard(for: TarmacError(.unacceptableStatus, phase: .judging).with(response: snapshot)) == row.1)
        }
    }

    /// Some servers send JSON under the media type of a page, or data in a format of their own.
    @Test(
        arguments: [
            (nil, "", true), ("application/json", "", true), ("application/json", #"{"error":"spent"}"#, true), ("text/html", #" {"error":"spent"}"#, true),
            ("text/plain", "\u{FEFF}[1]", true), (nil, "{}", true), ("application/problem+json", "{}", true), ("application/x-protobuf", "\u{8}\u{1}", true),
            ("application/json", #""spent""#, true), ("text/plain", "", true),
            (nil, "Forbidden", false), ("text/plain; charset=utf-8", "Blocked by the firewall", false), (nil, "<html>", false),
            ("application/json", "<!DOCTYPE html>", false), ("text/html", "Blocked", false),
        ] as [(String?, String, Bool)], [400, 401, 403])
    func aRefusalIsDataOrNothing(row: (String?, String, Bool), status: Int) {
        var headers = HTTPFields()
        headers[.contentType] = row.0
        let snapshot = ResponseSnapshot(status: .init(code: status), headers: headers, body: Bytes(row.1))
        let error = TarmacError(.unacceptableStatus, phase: .judging).with(response: snapshot)
        #expect(RefreshConsequence.standard(for: error) == (row.2 ? .logOut : .fail))
    }
}
