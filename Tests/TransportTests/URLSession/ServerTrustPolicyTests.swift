#if Tools
import Foundation
import NIOSSL
import Tarmac
@testable import TarmacURLSession
import Testing

/// What URLSession is told when it asks whether to trust a server, for platforms on which it asks (QSP-3, QSP-4, QSP-B7).
struct ServerTrustPolicyTests {
    private static let other: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    enum Outcome: Equatable { case performDefault, goOn, refused, reported }

    struct Row: Sendable, CustomTestStringConvertible {
        var trust = ConnectionSettings.TrustSetting.system
        var skipsName = false
        var pins: [Pin] = []
        var reportsOnly = false
        var isTrusted = true
        let outcome: Outcome
        var testDescription: String { "\(trust), name \(skipsName ? "skipped" : "checked"), \(pins.count) pins, trusted \(isTrusted) → \(outcome)" }
    }

    static let rows: [Row] = [
        Row(outcome: .performDefault),
        Row(isTrusted: false, outcome: .performDefault),
        Row(pins: [Fixture.chained.keyPin], outcome: .performDefault),
        Row(pins: [Fixture.issuer.keyPin], outcome: .performDefault),
        Row(pins: [Fixture.issuer.certificatePin], outcome: .performDefault),
        Row(pins: [other], outcome: .refused),
        Row(pins: [other], reportsOnly: true, outcome: .reported),
        // What is not trusted fails for that reason, whatever is pinned.
        Row(pins: [Fixture.chained.keyPin], isTrusted: false, outcome: .performDefault),
        Row(pins: [other], isTrusted: false, outcome: .performDefault),
        Row(skipsName: true, outcome: .goOn),
        Row(skipsName: true, isTrusted: false, outcome: .performDefault),
        Row(skipsName: true, pins: [other], outcome: .refused),
        Row(skipsName: true, pins: [Fixture.chained.keyPin], outcome: .goOn),
        Row(trust: .insecureAcceptAnyCertificate, isTrusted: false, outcome: .goOn),
        Row(trust: .insecureAcceptAnyCertificate, pins: [Fixture.chained.keyPin], isTrusted: false, outcome: .goOn),
        Row(trust: .insecureAcceptAnyCertificate, pins: [Fixture.issuer.keyPin], isTrusted: false, outcome: .refused),
    ]

    @Test(arguments: rows) func aChallengeIsAnswered(_ row: Row) throws {
        let policy = try ServerTrustPolicy(
            ConnectionSettings {
                $0.trust = row.trust
                if row.skipsName { $0.insecurelySkipsHostName = true }
                if !row.pins.isEmpty { $0.pins = [PinSet("a.example", row.pins, reportsOnly: row.reportsOnly)] }
            })
        let chain = try NIOSSLCertificate.fromPEMFile(Fixture.chained.pemFile).map { Data(try $0.toDERBytes()) }
        let (answer, notice) = policy.answer(host: "a.example", isTrusted: row.isTrusted, chain: chain, now: Date())
        let outcome: Outcome =
            switch answer {
            case .performDefault: notice == nil ? .performDefault : .reported
            case .goOn: .goOn
            case .refuse: .refused
            }
        #expect(outcome == row.outcome)
        if case .refuse(let report) = answer { #expect(report.presented.first?.key == Fixture.chained.keyPin && report.host == "a.example") }
        let other = policy.answer(host: "b.example", isTrusted: row.isTrusted, chain: chain, now: Date()).answer
        #expect(other == .performDefault || other == .goOn, "the pins of one host are none of another's")
    }

    @Test func plainHttpToAPinnedHostIsRefused() throws {
        let policy = try ServerTrustPolicy(ConnectionSettings { $0.pins = [PinSet("a.example", [Self.other])] })
        #expect(throws: TarmacError.self) { try policy.check(HTTPURL("http://a.example/")) }
        try policy.check(HTTPURL("https://a.example/"))
    }
}
#endif
