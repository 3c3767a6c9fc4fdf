// Not part of the page: its program calls the example server in place of https://api.shop.example.
import Shop
import Tarmac
import TarmacCore
import TarmacURLSession

/// The app's client, whose requests this machine answers. `shopClient()` means this function, because it needs no default value.
func shopClient() -> Client {
    shopClient(TransportFactory(name: "local") { LocalTransport(inner: try TransportFactory.urlSession.makeTransport($0)) })
}

/// Sends each request to the example server.
private struct LocalTransport: Transport {
    let inner: any Transport
    var name: String { inner.name }
    var capabilities: TransportCapabilities { inner.capabilities }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        var request = request
        request.url = try HTTPURL(ShopServer.url + request.url.requestTarget)
        return try await inner.send(request, exchange: exchange)
    }

    func shutdown() async { await inner.shutdown() }
}
