import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// What a transport sends again by itself, on a fresh connection, is no attempt of the policy's.
@Suite("Retry: resends count apart", .timeLimit(.minutes(5)))
struct ResendTests {
    private struct Resending: Transport {
        let status: HTTPResponse.Status
        var name: String { "resending" }
        var capabilities: TransportCapabilities { .everything }

        func send(_ request: Request, exchange: Exchange) async throws -> Response {
            exchange.report(.connected(isReused: true))
            exchange.report(.resent)
            exchange.report(.sentAll)
            exchange.report(.receivedHead)
            exchange.report(.ended)
            return Response(status: status, url: request.url)
        }

        func shutdown() async {}
    }

    @Test func theErrorCountsThemApartFromAttempts() async throws {
        let factory = TransportFactory(name: "resending") { _ in Resending(status: .badGateway) }
        let client = Client(transport: factory, services: [Service("s", host: "https://s.example")]) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
        }
        let error = await failure { try await client.get("/a") }
        #expect(error?.attempts == 3)
        #expect(error?.context?.resends == 3)
        #expect(error?.failedAttempts.count == 3)
    }
}
