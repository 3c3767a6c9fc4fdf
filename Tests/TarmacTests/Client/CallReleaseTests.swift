import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// The context of a call goes with the call, however it ends. An exchange tells an observed call's context what it does, and the context
/// keeps the exchange to end it: nothing may be left of the two.
@Suite("What a call leaves behind", .timeLimit(.minutes(5)))
struct CallReleaseTests {
    /// Sees the contexts that requests are sent for, those of shared and of background requests included, and keeps none.
    private final class ContextWatch: Interceptor {
        private let seen = Locked<[Weak]>([])

        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            seen.withLock { $0.append(Weak(chain.context)) }
            return try await chain.proceed(request)
        }

        var count: Int { seen.withLock { $0.count } }
        var living: Int { seen.withLock { $0.count { $0.object != nil } } }
    }

    private let watch = ContextWatch()

    private func client(_ stub: StubTransport, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(stub, time: time) {
            $0.observers = [EventRecorder()]
            $0.attemptInterceptors = [watch]
            configure(&$0)
        }
    }

    @Test func nothingIsLeftOfACallThatLanded() async throws {
        let client = client(StubTransport { _ in .text("a") })
        _ = try await client.get("/a", as: String.self)
        await eventually { watch.living == 0 }
        #expect(watch.count == 1 && watch.living == 0)
        await client.shutdown()
    }

    @Test(arguments: [true, false]) func nothingIsLeftOfACallThatFailed(isRefused: Bool) async throws {
        let client = client(
            StubTransport { _ in
                if isRefused { return .status(.notFound) }
                throw TarmacError(.connectionLost, phase: .waiting, "the connection ended")
            })
        await #expect(throws: TarmacError.self) { try await client.get("/a", as: String.self) }
        await eventually { watch.living == 0 }
        #expect(watch.count == 1 && watch.living == 0)
        await client.shutdown()
    }

    @Test func nothingIsLeftOfACallWhoseTaskWasCancelled() async throws {
        let stub = StubTransport { _ in .text("a") }
        stub.hold()
        let client = client(stub)
        let call = Task { try await client.get("/a", as: String.self) }
        await eventually { watch.count == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await eventually { watch.living == 0 }
        #expect(watch.living == 0)
        await client.shutdown()
    }

    @Test func nothingIsLeftOfARequestThatCallsShared() async throws {
        let client = client(StubTransport { _ in .text("a") }) { $0.coalesces = true }
        _ = try await client.get("/a", as: String.self)
        await eventually { watch.living == 0 }
        #expect(watch.count == 1 && watch.living == 0)
        await client.shutdown()
    }

    /// RFC 5861 §3: the call is answered from what is stored, and a request in the background renews it.
    @Test func nothingIsLeftOfARequestInTheBackground() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in .text("a", headers: [.cacheControl: "max-age=1, stale-while-revalidate=60"]) }
        let client = client(stub, time: time) { $0.cache = .http }
        _ = try await client.get("/a", as: String.self)
        time.advance(by: .seconds(3))
        _ = try await client.get("/a", as: String.self)
        await eventually { watch.count == 2 && watch.living == 0 }
        #expect(watch.count == 2 && watch.living == 0)
        await client.shutdown()
    }
}
