import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting

struct User: Codable, Equatable, Sendable {
    var id: Int
    var name: String
}

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

/// A screen that keeps what lands on it.
@MainActor
final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    var landings: [Result<User, any Error>] = []
    nonisolated init() {}

    func userLanded(_ result: Result<User, any Error>) { landings.append(result) }
}

/// Keeps what it is told, as words.
@MainActor
final class Board: Presenter {
    private(set) var lines: [String] = []
    nonisolated init() {}

    func loadingBegan(_ loading: Loading) { lines.append("began") }
    func loadingEnded(_ loading: Loading) { lines.append("ended") }
    func present(_ error: PresentedError) { lines.append("\(error.kind): \(error.message)") }
    func note(_ line: String) { lines.append(line) }
}

/// An interceptor made of a closure.
struct Intercepting: Interceptor {
    let body: @Sendable (Request, Chain) async throws -> Response
    init(_ body: @escaping @Sendable (Request, Chain) async throws -> Response) { self.body = body }
    func intercept(_ request: Request, chain: Chain) async throws -> Response { try await body(request, chain) }
}

/// Keeps the requests as they come to a transport, with bodies as they are, and the networks they may use.
final class KeepingTransport: Transport {
    let name = "keeping"
    let capabilities: TransportCapabilities = [.networkAccess]
    let kept = Locked<[(request: Request, access: NetworkAccess)]>([])

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        kept.withLock { $0.append((request, exchange.networkAccess)) }
        return .text("raw", status: .accepted)
    }

    func shutdown() async {}
}

extension StubTransport {
    /// Answers every request with one user.
    static var user: StubTransport { StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#) } }

    /// Answers with what an envelope of these systems holds.
    static func enveloped(_ body: String) -> StubTransport { StubTransport { _ in .json(body) } }
}

extension Envelope {
    /// The condition of success of the first document.
    static let status = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
}

extension Client {
    /// A client with one service on `https://s.example/v1`.
    init(_ stub: StubTransport, time: any TimeSource = .system, configure: (inout Options) -> Void = { _ in }) {
        self.init(
            transport: .stub(stub), services: [Service("s", host: "https://s.example/v1")], time: time, configure: configure)
    }
}

extension Request {
    /// The body as text.
    var text: String? { body.buffered.map { String(decoding: $0.array, as: UTF8.self) } }

    subscript(field name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

/// What a call lands with that reports to a closure.
@MainActor
func landing<Value: Sendable>(
    _ start: @MainActor (@escaping @MainActor (Result<Value, any Error>) -> Void) -> Void
) async -> Result<Value, any Error> {
    await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
}

extension Result {
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
