import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cache hits", .timeLimit(.minutes(5)))
struct CacheHitTests {
    private struct Marking: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var response = try await chain.proceed(request)
            response.headers.append(HTTPField(name: .server, value: "marked"))
            return response
        }
    }

    /// RFC 9111 §5.1, RFC 9211 §2.4: hits of one second are of one age, and what somebody adds to one is not in the next.
    @Test func eachHitHasItsOwnAgeAndFields() async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub, time: time) {
            $0.cache = .http
            $0.interceptors = [Marking()]
        }
        for (pause, age) in [(0, nil), (0, "0"), (0, "0"), (3, "3"), (0, "3"), (56, "59")] as [(Int, String?)] {
            time.advance(by: .seconds(pause))
            let headers = try await client.landed(for: .get("/n", as: Number.self)).headers
            #expect(headers[values: .server] == ["marked"])
            guard let age, let number = Int(age) else { continue }
            #expect(headers[values: .age] == [age] && headers[values: .cacheStatus] == ["tarmac; hit; ttl=\(60 - number)"])
        }
        #expect(stub.requests.count == 1)
        await client.shutdown()
    }
}
