import Tarmac
import TarmacTesting
import Testing

struct TransportConformanceTests {
    private static let alwaysFine = TransportFactory.stub { _ in .text("ok") }

    /// A suite that a transport without a network passes would prove nothing.
    @Test(arguments: [
        TransportConformance.Case.commonMethods, .requestTarget, .statuses, .hugeCollectedBody, .truncatedBody,
        .garbageStatusLine, .refused, .unknownHost, .keepAlive, .postNotResent, .redirectsNotFollowed,
    ])
    func failsWhatDoesNotConform(name: TransportConformance.Case) async throws {
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await TransportConformance.run(name, with: Self.alwaysFine, limit: .seconds(10))
        }
        #expect(failure?.name == name.rawValue)
        #expect(failure?.reason.isEmpty == false)
    }

    @Test func aHangingCaseIsAFailureThatSaysWhatTheServerSaw() async throws {
        let stub = StubTransport { _ in .text("ok") }
        stub.hold()
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await TransportConformance.run(.hostHeader, with: .stub(stub), limit: .milliseconds(50))
        }
        #expect(failure?.reason.contains("not ended within") == true)
        #expect(failure?.details.contains("0 connections") == true)
    }

    @Test func whatATransportDoesNotClaimIsSkippedByName() async throws {
        let factory = TransportFactory.stub(StubTransport(capabilities: []) { _ in .text("ok") })
        let outcome = try await TransportConformance.run(.trailers, with: factory)
        #expect(outcome == .skipped(reason: "not claimed: trailers"))
    }

    @Test func exclusionsAreSkippedWithTheirReason() async throws {
        let outcome = try await TransportConformance.run(.refused, with: Self.alwaysFine, exclusions: [.refused: "no network"])
        #expect(outcome == .skipped(reason: "excluded: no network"))
    }

    @Test func anExclusionWithoutAReasonIsAFailure() async throws {
        await #expect(throws: ConformanceFailure.self) {
            try await TransportConformance.run(.refused, with: Self.alwaysFine, exclusions: [.refused: ""])
        }
    }
}
