#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import TarmacURLSession
import Testing

/// Over URLSession who is not trusted is refused with a code of its own, as far as one can get with the system's roots.
@Suite(.timeLimit(.minutes(5))) struct URLSessionTLSTests {
    // QSP-B7: certificates are checked by default.
    @Test(arguments: [
        (Fixture.selfsigned, TarmacError.Code.selfSignedCertificate), (.localhost, .untrustedCertificate), (.chained, .untrustedCertificate),
    ])
    func whoIsNotTrustedIsRefused(identity: Fixture, code: TarmacError.Code) async throws {
        try await SecureServer.run(identity) { server in
            let error = await (try Rig()).failure(Request(.get, try server.url("/hello")))
            #expect(error?.code == code)
            #expect(error?.phase == .connecting)
            #expect(server.peers.value.isEmpty)
        }
    }

    #if canImport(Darwin)
    // QSP-B7: pins are applied: a server that is not pinned gets no request. Apple platforms trust no certificate that is valid for more than
    // 825 days, as those of the tests are, so the pins alone decide here.
    @Test func pinsAreApplied() async throws {
        try await SecureServer.run(.localhost) { server in
            for (pin, code) in [(Fixture.localhost.keyPin, nil), (Fixture.chained.keyPin, .pinMismatch)] as [(Pin, TarmacError.Code?)] {
                let rig = try Rig {
                    $0.trust = .insecureAcceptAnyCertificate
                    $0.pins = [PinSet("localhost", [pin, Fixture.issuer.keyPin])]
                }
                let error = await rig.failure(Request(.get, try server.url("/hello")))
                #expect(error?.code == code)
            }
            #expect(server.peers.value.count == 1)
        }
    }
    #else
    // QSP-B7, XF-7: pins that cannot be applied are refused, and not ignored.
    @Test func pinsAreRefusedByName() throws {
        let pins: Pins = [PinSet("localhost", [Fixture.localhost.keyPin, Fixture.chained.keyPin])]
        let error = try #require(throws: TarmacError.self) { try Rig { $0.pins = pins } }
        #expect(error.code == .unsupported && error.reason.hasPrefix("pins: "))
    }
    #endif
}
#endif
