import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport over `URLSession`. It uses the delegate of the session, so that the same code runs on Linux
/// and Apple platforms.
final class URLSessionTransport: Transport {
    static let name = "URLSession"

    let capabilities = Platform.capabilities
    private let proxy: ProxyRule
    private let answers: SessionAnswers
    private let pool: SessionPool
    private let hosts: HostQueues
    private let canceller = TaskCanceller()
    private let isHTTP3First: Bool

    var name: String { Self.name }

    init(_ settings: ConnectionSettings, own: OwnSession = OwnSession()) throws {
        if let refusal = SettingsRefusal(abilities: Platform.abilities).check(settings) { throw refusal }
        proxy = ProxyRule(setting: settings.proxy, proxiesLoopback: settings.proxiesLoopback)
        let sessionSettings = try SessionSettings(settings, own: own)
        answers = sessionSettings.answers
        isHTTP3First = settings.httpVersions == .http3First
        pool = SessionPool(sessionSettings)
        hosts = HostQueues(limit: sessionSettings.connectionsPerHost)
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let urlRequest = try prepare(request, exchange)
        let need = SessionNeed(request)
        // A new connection has a session of its own, which queues nothing.
        let hosts = need == .shared && !request.url.isSecure ? hosts : nil
        let flight = SessionTask(request, exchange: exchange, canceller: canceller, hosts: hosts, isTunnelled: proxy.tunnels(to: request.url))
        return try await flight.land { [self] body in
            let step: @Sendable () -> Void = { [self] in Platform.start { [self] in start(flight, urlRequest, body, need) } }
            if let hosts { hosts.enter(flight, start: step) } else { step() }
        }
    }

    private func start(_ flight: SessionTask, _ request: URLRequest, _ body: RestingBody, _ need: SessionNeed) {
        // It may have ended while it waited.
        guard !flight.isOver else { return flight.leaveHost() }
        do {
            while try !pool.pooled(for: need).start(flight, request, body, canceller: canceller) {}
        } catch {
            flight.end(.failure(error))
            flight.leaveHost()
        }
    }

    func shutdown() async {
        hosts.close()
        await pool.close()
        // Those that began to wait in the meantime.
        hosts.close()
    }

    /// Refuses a request that `URLSession` would change. Nothing is sent then.
    func prepare(_ request: Request, _ exchange: Exchange) throws(TarmacError) -> URLRequest {
        if let refusal = RequestRefusal.check(request) ?? proxy.refusal(for: request.url) { throw refusal }
        try answers.check(request.url)
        var urlRequest = try URLRequest(request)
        Platform.restrict(&urlRequest, to: exchange.networkAccess)
        if isHTTP3First { Platform.assumeHTTP3(&urlRequest) }
        return urlRequest
    }
}
