import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacSigning

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A transport whose first connections are stale: it leaves the resend to who made the request.
private struct StaleTransport: Transport {
    struct State {
        var requests: [Request] = []
        var stale: Int
    }
    let state: Watched<State>
    /// Whether the connection is at fault, or something else.
    var leaves = true
    var name: String { "stale" }
    var capabilities: TransportCapabilities { [.resendsOnStaleConnection] }

    init(stale: Int) { state = Watched(State(stale: stale)) }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        var isStale = false
        state.update { state in
            state.requests.append(request)
            isStale = state.stale > 0
            state.stale -= 1
        }
        guard isStale else { return .numbered(.flipped("{\"n\":1}", request), request) }
        if leaves, request.sending.isOnce { exchange.leaveResend() }
        throw TarmacError(.connectionLost, phase: .waiting, "the connection closed")
    }

    func shutdown() async {}
    var requests: [Request] { state.value.requests }
}

/// What was signed or sealed never goes out twice as it is.
@Suite("Signed and sealed requests are made anew", .timeLimit(.minutes(5)))
struct RenewalTests {
    private func client(_ transport: StaleTransport, _ configure: (inout Options) -> Void) -> Client {
        Client(transport: TransportFactory(name: "stale") { _ in transport }, services: [Service("s", host: "https://s.example")]) {
            $0.retry = .never
            configure(&$0)
        }
    }

    @Test(arguments: [true, false])
    func aStaleConnectionHasThemMadeAnew(isSealed: Bool) async throws {
        let transport = StaleTransport(stale: 2)
        let (signer, cipher) = (Counting(), Flip())
        let resends = Watched(0)
        let client = client(transport) {
            $0.signing = .signer(signer)
            $0.verification = .verifier(Echoed())
            if isSealed { $0.encryption = .cipher(cipher) }
            $0.observers = [Noting { if case .resentOnFreshConnection = $0.kind { resends.update { $0 += 1 } } }]
        }
        if isSealed {
            #expect(try await client.post("/a", ["a": 1], as: Number.self) == Number(n: 1))
        } else {
            _ = try await client.post("/a", ["a": 1], as: Data.self)
        }
        let numbers = transport.requests.map { $0.headers[.number] ?? "" }
        #expect(numbers.count == 3 && Set(numbers).count == 3, "each has a number of its own")
        #expect(transport.requests.map(\.sending.isOnce) == [true, true, true])
        #expect(transport.requests.map(\.sending.isFresh) == [false, true, true])
        #expect(cipher.count.value == (isSealed ? 3 : 0))
        #expect(resends.value == 2)
    }

    /// A signer may hand back a request of its own making; the way it is to go must not be lost with the old one.
    @Test func aMisdirectedRequestThatIsMadeAnewGoesOverAFreshConnection() async throws {
        struct Rebuilding: RequestSigner {
            func sign(_ request: Request, at date: Date) -> Request { Request(request.method, request.url, headers: request.headers, body: request.body) }
        }
        let answers = Watched([HTTPResponse.Status.ok, .misdirectedRequest])
        let stub = StubTransport { _ in .status(answers.update { $0.removeLast() }) }
        let client = Client(stub) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.signing = .signer(Rebuilding())
        }
        try await client.post("/a", ["n": 1])
        #expect(stub.requests.map(\.sending.isFresh) == [false, true])
    }

    @Test func aServerThatAlwaysGoesAwayIsGivenUp() async throws {
        let transport = StaleTransport(stale: .max)
        let client = client(transport) { $0.signing = .signer(Counting()) }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/a") }
        #expect(error?.code == .connectionLost)
        #expect(transport.requests.count == 5)
        #expect(error?.context?.attempts == 1 && error?.context?.resends == 4, "they count apart from attempts")
    }

    @Test func anyOtherFailureIsTheCallsOwn() async throws {
        var transport = StaleTransport(stale: 1)
        transport.leaves = false
        let client = client(transport) { $0.signing = .signer(Counting()) }
        let error = await #expect(throws: TarmacError.self) { try await client.get("/a") }
        #expect(error?.code == .connectionLost && transport.requests.count == 1)
    }

    @Test func aPlainRequestIsTheTransportsToResend() async throws {
        let transport = StaleTransport(stale: 0)
        _ = try await client(transport) { _ in }.get("/a", as: Data.self)
        // A stranger's request goes out unsigned.
        _ = try await client(transport) { $0.signing = .signer(Counting()) }.get("https://t.example/a", as: Data.self)
        #expect(transport.requests.map(\.sending) == [Request.Sending(), Request.Sending()])
    }

    @Test func aRetryIsSignedAnew() async throws {
        var transport = StaleTransport(stale: 1)
        transport.leaves = false
        let client = client(transport) {
            $0.signing = .signer(Counting())
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
        }
        _ = try await client.get("/a", as: Data.self)
        #expect(Set(transport.requests.compactMap { $0.headers[.number] }).count == 2)
    }
}

private struct Noting: EventObserver {
    let note: @Sendable (CallEvent) -> Void
    func receive(_ event: CallEvent) { note(event) }
}
