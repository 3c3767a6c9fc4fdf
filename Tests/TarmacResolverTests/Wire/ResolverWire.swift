#if Tools
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import Testing

typealias Resolver = ConnectionSettings.ResolverSetting

/// The transport over connections to `shop.example`, whose root is trusted.
enum ResolverWire {
    static func with(
        _ resolver: Resolver, _ change: (inout ConnectionSettings) -> Void = { _ in }, _ body: (any Transport) async throws -> Void
    ) async throws {
        let settings = ConnectionSettings {
            ($0.resolver, $0.trust) = (resolver, .onlyPEM(Bytes(ShopCertificate.root)))
            change(&$0)
        }
        let transport = try TransportFactory.asyncHTTPClient.makeTransport(settings)
        do {
            try await body(transport)
            await transport.shutdown()
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}

extension ResolverWire {
    /// Returns the text of an answer to a client, whose time limits apply.
    static func call(_ resolver: Resolver, _ origin: String, times: Int = 1) async throws -> String {
        let connection = ConnectionSettings { ($0.resolver, $0.trust) = (resolver, .onlyPEM(Bytes(ShopCertificate.root))) }
        return try await withClient(transport: .asyncHTTPClient, services: [Service("shop", host: origin, connection: connection)]) { client in
            var text = ""
            for _ in 0..<times { text = try await client.get("/", as: String.self) }
            return text
        }
    }
}

extension Transport {
    /// Returns the text of an answer.
    func text(_ url: String, _ exchange: Exchange? = nil, fresh: Bool = false) async throws -> String {
        let exchange =
            exchange
            ?? Exchange(delivery: .collected(limit: 10_000), needsFreshConnection: fresh, time: .system, now: SystemTime.system.moment, observe: nil)
        let response = try await send(Request(.get, url), exchange: exchange)
        return String(decoding: response.body.collected?.array ?? [], as: UTF8.self)
    }

    /// Checks the text of an answer.
    func expect(_ expected: String, from url: String, fresh: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let text = try await text(url, fresh: fresh)
        #expect(text == expected, sourceLocation: sourceLocation)
    }

    func failure(_ url: String, _ exchange: Exchange? = nil) async -> TarmacError.Code? {
        do { _ = try await text(url, exchange) } catch { return (error as? TarmacError)?.code }
        return nil
    }
}
#endif
