import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Interceptors", .timeLimit(.minutes(5)))
struct InterceptorTests {
    private let order = Watched<[String]>([])
    private let stub = StubTransport { request in
        switch request.url.path {
        case "/first": .redirect(to: "/second")
        case "/second": .redirect(to: "/third")
        default: .text("there")
        }
    }

    private func noting(_ word: String) -> Intercepting {
        Intercepting { [order] request, chain in
            order.update { $0.append("\(word) \(request.url.path)") }
            let response = try await chain.proceed(request)
            order.update { $0.append("\(word) \(response.status.code)") }
            return response
        }
    }

    @Test func callInterceptorsRunOnceAndAttemptInterceptorsOnEveryHop() async throws {
        let client = Client(stub) {
            $0.interceptors = [noting("call")]
            $0.attemptInterceptors = [noting("attempt")]
        }
        #expect(try await client.get("/first", as: String.self) == "there")
        #expect(
            order.value == [
                "call /first", "attempt /first", "attempt 302", "attempt /second", "attempt 302", "attempt /third", "attempt 200", "call 200",
            ])
    }

    @Test func aCallInterceptorThatAnswersSendsNothing() async throws {
        let client = Client(stub) {
            $0.interceptors = [noting("outer"), Intercepting { _, _ in .text("mine") }, noting("inner")]
        }
        #expect(try await client.get("/first", as: String.self) == "mine")
        #expect(order.value == ["outer /first", "outer 200"])
        #expect(stub.requests.isEmpty)
    }

    @Test func anAttemptInterceptorThatAnswersWithARedirectIsFollowed() async throws {
        let client = Client(stub) {
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    request.url.path == "/start" ? .redirect(to: "/third") : try await chain.proceed(request)
                }
            ]
        }
        let landed = try await client.landed(for: InlineEndpoint<String>.get("/start", as: String.self))
        #expect(landed.value == "there")
        #expect(landed.attempts == 1)
        #expect(stub.requests.map(\.url.path) == ["/third"])
    }

    @Test func whatAnInterceptorChangesReachesTheWire() async throws {
        let client = Client(stub) {
            $0.interceptors = [
                Intercepting { request, chain in
                    var request = request
                    request.method = .put
                    request.headers[.ifMatch] = "\"1\""
                    request.body = .text("new")
                    return try await chain.proceed(request)
                }
            ]
        }
        _ = try await client.get("/third", as: String.self)
        let request = try #require(stub.requests.first)
        #expect(request.method == .put)
        #expect(request.headers[.ifMatch] == "\"1\"")
        #expect(request.body.length == 3)
    }

    @Test func anInterceptorKnowsItsCall() async throws {
        let seen = Watched<[String]>([])
        let client = Client(stub) {
            $0.interceptors = [
                Intercepting { request, chain in
                    seen.update { $0.append("\(chain.context.endpoint) \(chain.context.service) \(chain.context.environment) \(chain.context.attempts)") }
                    defer { seen.update { $0.append("\(chain.context.attempts)") } }
                    return try await chain.proceed(request)
                }
            ]
        }
        _ = try await client.get("/first", as: String.self)
        #expect(seen.value == ["GET /first s production 0", "3"])
    }

    @Test func anInterceptorMayTurnAnErrorIntoAnAnswer() async throws {
        let failing = StubTransport { _ in throw TarmacError(.connectionRefused, phase: .connecting) }
        let client = Client(failing) {
            $0.interceptors = [
                Intercepting { request, chain in
                    do { return try await chain.proceed(request) } catch { return .text("offline") }
                }
            ]
        }
        #expect(try await client.get("/", as: String.self) == "offline")
    }

    @Test func anInterceptorSeesStatusesAsAnswersAndNotAsErrors() async throws {
        let seen = Watched<[Int]>([])
        let client = Client(StubTransport { _ in .status(.serviceUnavailable) }) {
            $0.attemptInterceptors = [
                Intercepting { request, chain in
                    let response = try await chain.proceed(request)
                    seen.update { $0.append(response.status.code) }
                    #expect(response.verdict?.error?.code == .unacceptableStatus)
                    return response
                }
            ]
        }
        #expect(await failure { try await client.get("/") }?.code == .unacceptableStatus)
        #expect(seen.value == [503])
    }

    /// A server that calls its JSON text: with the media type put right the response is judged, and lands, as JSON.
    @Test func aResponseIsJudgedAgainOnceItsVerdictIsInvalidated() async throws {
        let stub = StubTransport { _ in .text(#"{"n":1}"#) }
        func client(_ change: @escaping @Sendable (inout Response) -> Void) -> Client {
            Client(stub) {
                $0.interceptors = [
                    Intercepting { request, chain in
                        var response = try await chain.proceed(request)
                        response.headers[.contentType] = "application/json"
                        change(&response)
                        return response
                    }
                ]
            }
        }
        let judgedBefore = await #expect(throws: TarmacError.self) { try await client { _ in }.get("/n", as: [String: Int].self) }
        #expect(judgedBefore?.code == .unacceptableContentType)
        #expect(try await client { $0.body = $0.body }.get("/n", as: [String: Int].self) == ["n": 1])
    }

    @Test func eachTryOfAnInterceptorTakesAndLeavesASlotOfItsOwn() async throws {
        let failures = Watched(2)
        let flaky = StubTransport { _ in
            let fails = failures.update { left in
                defer { left -= 1 }
                return left > 0
            }
            if fails { throw TarmacError(.connectionLost, phase: .waiting) }
            return .text("third time")
        }
        let client = Client(flaky, concurrency: 1) {
            $0.interceptors = [
                Intercepting { request, chain in
                    for _ in 0..<2 {
                        do { return try await chain.proceed(request) } catch {}
                    }
                    return try await chain.proceed(request)
                }
            ]
        }
        let landed = try await client.landed(for: InlineEndpoint<String>.get("/", as: String.self))
        #expect(landed.value == "third time")
        #expect(landed.attempts == 3)
    }
}
