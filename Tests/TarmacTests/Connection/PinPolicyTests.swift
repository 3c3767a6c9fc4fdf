import Foundation
import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacConnection
import Testing

/// The decision about a connection, as a table (QSP-3, QSP-4).
struct PinPolicyTests {
    private typealias Evidence = PinPolicy.Evidence

    private static let now = Date(timeIntervalSince1970: 2_000_000_000)
    private static let other: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let (own, root, rsa) = (CertificateSample.localhost, CertificateSample.root, CertificateSample.rsa)
    private static let alone = Evidence([own.der], isVerified: true, isComplete: false)
    private static let chain = Evidence([own.der, root.der], isVerified: true, isComplete: true)
    private static let unverified = Evidence([own.der, root.der], isVerified: false, isComplete: true)
    private static let unseen = Evidence([own.der], isVerified: true, isComplete: true, limitation: "it is dark")

    enum Outcome: Equatable { case accepted, asked, refused, reported, expired }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let pins: [Pin]
        fileprivate let evidence: PinPolicy.Evidence
        let outcome: Outcome
        var expires: Date?
        var reportsOnly = false
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "own key", pins: [.key(own.keyPin), other], evidence: alone, outcome: .accepted),
        Row(name: "own certificate", pins: [other, .certificate(own.der)], evidence: alone, outcome: .accepted),
        Row(name: "the backup alone fits", pins: [other, .key(own.keyPin)], evidence: alone, outcome: .accepted),
        Row(name: "another certificate for the same key", pins: [.key(of: CertificateSample.expired.der), other], evidence: alone, outcome: .accepted),
        Row(name: "another certificate of the same key", pins: [.certificate(CertificateSample.expired.der), other], evidence: chain, outcome: .refused),
        Row(name: "the root may fit", pins: [.key(root.keyPin), other], evidence: alone, outcome: .asked),
        Row(name: "nothing fits so far", pins: [other], evidence: alone, outcome: .asked),
        Row(name: "the root's key", pins: [.key(root.keyPin), other], evidence: chain, outcome: .accepted),
        Row(name: "the root's certificate", pins: [.certificate(root.der), other], evidence: chain, outcome: .accepted),
        Row(name: "nothing fits", pins: [other, .key(rsa.keyPin)], evidence: chain, outcome: .refused),
        Row(name: "a key's hash is no certificate's", pins: [.certificate(sha256: own.keyPin), .key(own.certificatePin)], evidence: chain, outcome: .refused),
        // Anyone can send the true root along with a certificate of his own.
        Row(name: "unverified, the root", pins: [.key(root.keyPin), other], evidence: unverified, outcome: .refused),
        Row(name: "unverified, own key", pins: [.key(own.keyPin), other], evidence: unverified, outcome: .accepted),
        Row(name: "unseen", pins: [.key(root.keyPin), other], evidence: unseen, outcome: .refused),
        Row(name: "no certificate at all", pins: [other], evidence: Evidence([], isVerified: true, isComplete: false), outcome: .refused),
        Row(name: "garbage", pins: [other], evidence: Evidence([[1, 2, 3]], isVerified: true, isComplete: true), outcome: .refused),
        Row(name: "report only", pins: [other], evidence: chain, outcome: .reported, reportsOnly: true),
        Row(name: "report only asks first", pins: [other], evidence: alone, outcome: .asked, reportsOnly: true),
        Row(name: "report only, fits", pins: [.key(own.keyPin)], evidence: alone, outcome: .accepted, reportsOnly: true),
        Row(name: "a second before the end", pins: [other], evidence: chain, outcome: .refused, expires: now + 1),
        Row(name: "at the end", pins: [other], evidence: chain, outcome: .expired, expires: now),
        Row(name: "ended, fits", pins: [.key(own.keyPin)], evidence: alone, outcome: .expired, expires: now - 1),
        Row(name: "ended, report only", pins: [other], evidence: alone, outcome: .expired, expires: now - 1, reportsOnly: true),
        Row(name: "ended, unverified", pins: [other], evidence: unverified, outcome: .expired, expires: now - 1),
        Row(name: "malformed pins fit nothing", pins: [.key("x"), .certificate([])], evidence: chain, outcome: .refused),
    ]

    @Test(arguments: rows) func aConnectionIsJudged(_ row: Row) {
        let set = PinSet("a.example", row.pins, expires: row.expires, reportsOnly: row.reportsOnly)
        let outcome: Outcome =
            switch PinPolicy(set).decide(row.evidence, now: Self.now) {
            case .accept: .accepted
            case .askForChain: .asked
            case .refuse: .refused
            case .acceptWith(.mismatch): .reported
            case .acceptWith(.expired): .expired
            }
        #expect(outcome == row.outcome)
    }

    @Test func aRefusalTellsWhatWasSeenAndWhatToDo() throws {
        let decision = PinPolicy(PinSet("*.a.example", [Self.other])).decide(Self.chain, now: Self.now)
        guard case .refuse(let report) = decision else { throw Unexpected() }
        let error = report.naming("x.a.example").error
        #expect(error.code == .pinMismatch && error.phase == .connecting)
        #expect(error.reason.contains("x.a.example") && error.reason.contains(Self.own.keyPin) && error.reason.contains(Self.root.keyPin))
        #expect(error.cause(as: PinReport.self)?.presented.map(\.key.description) == [Self.own.keyPin, Self.root.keyPin])
        #expect(error.cause(as: PinReport.self)?.presented.first?.certificate == .certificate(Self.own.der))
        #expect(error.cause(as: PinReport.self)?.expected == [Self.other])
        guard case .refuse(let dark) = PinPolicy(PinSet("a.example", [Self.other])).decide(Self.unseen, now: Self.now) else { throw Unexpected() }
        #expect(dark.error.reason.contains("it is dark"))
    }

    private struct Unexpected: Error {}
}
