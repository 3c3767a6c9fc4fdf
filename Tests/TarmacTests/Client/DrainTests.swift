import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacTesting
import Testing

/// A shutdown that gives calls time to end.
struct DrainTests {
    private static let path = "/slow"

    private struct Read: Endpoint, Encodable {
        typealias Value = String
        static let route: Route = .get("/{path}")
        let path: String
    }

    /// A client whose calls of "/slow" wait for the gate.
    private func client(_ gate: Watched<Bool>, time: ManualTime = ManualTime()) -> Client {
        let stub = StubTransport { request in
            if request.url.path == Self.path { try await gate.wait { $0 } }
            return .text("ok")
        }
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.timeout, $0.idleTimeout, $0.connectTimeout, $0.queueTimeout) = (.unlimited, .unlimited, .unlimited, .unlimited)
        }
    }

    @Test func callInFlightEndsByItselfAndNoOtherBegins() async throws {
        let gate = Watched(false)
        let client = client(gate)
        let call = Task { try await client.get("slow", as: String.self) }
        await eventually { client.engine.callsInFlight.first?.attempts == 1 }
        let shutdown = Task { await client.shutdown(grace: .seconds(30)) }
        await eventually { (try? client.engine.checkOpen()) == nil }
        let late = await #expect(throws: TarmacError.self) { try await client.get("late", as: String.self) }
        #expect(late?.code == .clientShutDown)
        gate.update { $0 = true }
        #expect(try await call.value == "ok")
        await shutdown.value
        #expect(client.engine.callsInFlight.isEmpty)
    }

    @Test func callThatTakesLongerIsCut() async throws {
        let time = ManualTime()
        let client = client(Watched(false), time: time)
        let call = Task { try await client.get("slow", as: String.self) }
        await eventually { client.engine.callsInFlight.first?.attempts == 1 }
        let shutdown = Task { await client.shutdown(grace: .seconds(5)) }
        await eventually { time.nextDeadline == .seconds(5) }
        time.advance(by: .seconds(5))
        await shutdown.value
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .clientShutDown)
    }

    @Test func groupThatHasBegunMayEndWithAllItsCalls() async throws {
        let gate = Watched(false)
        let time = ManualTime()
        let client = client(gate, time: time)
        let chain = Task { try await client.send(RequestChain(Read(path: "slow")).then { _ in Read(path: "after") }) }
        await eventually { client.engine.callsInFlight.first?.attempts == 1 }
        let shutdown = Task { await client.shutdown(grace: .seconds(30)) }
        await eventually { time.nextDeadline == .seconds(30) }
        gate.update { $0 = true }
        #expect(try await chain.value == "ok")
        await shutdown.value
        let late = await #expect(throws: TarmacError.self) { try await client.get("late", as: String.self) }
        #expect(late?.code == .clientShutDown)
    }

    @Test func nothingInFlightTakesNoTime() async throws {
        let client = client(Watched(true))
        _ = try await client.get("a", as: String.self)
        await client.shutdown(grace: .seconds(3_600))
        await #expect(throws: TarmacError.self) { try await client.get("late", as: String.self) }
    }
}
