#if Tools
import Tarmac
import TarmacTesting
import Testing

/// Law 6: every transport passes the same cases, and each exclusion has its reason.
struct ConformanceTests {
    @Test(arguments: TransportConformance.Case.allCases)
    func asyncHTTPClient(_ name: TransportConformance.Case) async throws {
        try await run(name, .asyncHTTPClient)
    }

    @Test(arguments: TransportConformance.Case.allCases)
    func urlSession(_ name: TransportConformance.Case) async throws {
        try await run(name, .urlSession)
    }

    private func run(_ name: TransportConformance.Case, _ transport: TransportUnderTest) async throws {
        // All cases run at once, on machines of two cores and under the thread sanitizer: each needs far less alone.
        try await TransportConformance.run(
            name, with: transport.factory, exclusions: transport.exclusions, limit: .seconds(240))
    }
}
#endif
