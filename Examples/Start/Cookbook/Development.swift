import Tarmac
import TarmacTesting
import TarmacURLSession

// page: selfsigned
let local = Service(
    "shop", host: "https://localhost:8443",
    connection: ConnectionSettings { $0.trust = .systemAnd(pemFile: "/etc/shop/development-root.pem") })
// page end

// page: proxy
let watched = Service(
    "shop", host: "https://api.shop.example",
    connection: ConnectionSettings {
        $0.proxy = .http(host: "127.0.0.1", port: 8888)
        $0.trust = .systemAnd(pemFile: "/etc/shop/charles-root.pem")
    })
// page end

// page: preview
extension Client {
    static let preview = Client(
        transport: .stub(
            StubTransport(routes: [
                .get("/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) },
                .get("/feed") { _ in .json(#"[{"title":"cup"}]"#) },
            ])), services: [.shop])
}
// page end

// page: manualtime
func retryUnderManualTime() async throws -> User {
    let (time, recorder) = (ManualTime(), EventRecorder())
    let start = time.date
    let stub = StubTransport { _ in time.date == start ? .status(.serviceUnavailable) : .json(#"{"id":7,"name":"ann"}"#) }
    let client = Client(transport: .stub(stub), services: [.shop], time: time) {
        $0.retry = .exponential(maxAttempts: 2)
        $0.observers = [recorder]
    }
    let call = Task { try await client.send(GetUser(id: 7)) }
    try await recorder.received { if case .stage(ResilienceEvent.retrying) = $0.kind { true } else { false } }
    try await time.hasSleepers()  // the pause has begun
    time.advance(by: .seconds(60))
    return try await call.value
}
// page end
