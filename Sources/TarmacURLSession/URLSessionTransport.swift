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
    private let trust: ServerTrustPolicy
    private let pool: LanePool
    private let canceller = TaskCanceller()

    var name: String { Self.name }

    init(_ settings: ConnectionSettings) throws {
        if let refusal = SettingsRefusal(abilities: Platform.abilities).check(settings) { throw refusal }
        proxy = ProxyRule(setting: settings.proxy, proxiesLoopback: settings.proxiesLoopback)
        let sessionSettings = try SessionSettings(settings)
        trust = sessionSettings.trust
        pool = LanePool(sessionSettings)
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let urlRequest = try prepare(request, exchange)
        let flight = SessionTask(request, exchange: exchange, canceller: canceller)
        return try await flight.land { [self] in start(flight, urlRequest, $0) }
    }

    private func start(_ flight: SessionTask, _ request: URLRequest, _ body: RestingBody) {
        do {
            let need = LaneNeed(flight.request)
            while try !pool.lane(for: need).start(flight, request, body, canceller: canceller) {}
        } catch {
            flight.end(.failure(error))
        }
    }

    func shutdown() async { await pool.close() }

    /// Refuses a request that `URLSession` would change. Nothing is sent then.
    private func prepare(_ request: Request, _ exchange: Exchange) throws(TarmacError) -> URLRequest {
        if let refusal = RequestRefusal.check(request) ?? proxy.refusal(for: request.url) { throw refusal }
        try trust.check(request.url)
        var urlRequest = try URLRequest(request)
        Platform.restrict(&urlRequest, to: exchange.networkAccess)
        return urlRequest
    }
}
