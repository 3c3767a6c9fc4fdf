import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

struct SharedBudgetTests {
    private final class Shared: SharedRetryBudget {
        let isAway = Locked(true)

        func takeRetry(of origin: WebOrigin, _ budget: RetryRule.Budget, calls: Int) throws -> Bool {
            if isAway.withLock({ $0 }) { throw TarmacError(.storeFailed, "the server is away") }
            return true
        }
    }

    @Test func aServerThatIsAwayIsReportedWhenThatBegins() async throws {
        let shared = Shared(), events = EventRecorder(), count = Locked(0)
        let stub = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .status(number % 3 == 0 ? .ok : .serviceUnavailable)
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            var rule = RetryRule.exponential(maxAttempts: 3, base: .zero)
            rule.sharedBudget = shared
            ($0.retry, $0.observers) = (rule, [events])
        }
        var warnings: [String] { events.events.compactMap { if case .warning(let text) = $0.kind { text } else { nil } } }
        try await client.get("/")
        #expect(warnings == ["the retry budget of https://s.example:443 is used by this process alone: the server is away"])
        shared.isAway.withLock { $0 = false }
        try await client.get("/")
        #expect(warnings.count == 1)
        shared.isAway.withLock { $0 = true }
        try await client.get("/")
        #expect(warnings.count == 2)
        await client.shutdown()
    }
}
