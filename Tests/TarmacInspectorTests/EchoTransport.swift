import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// Answers every request with 200 and its own body.
private struct EchoTransport: Transport {
    var name: String { "echo" }
    var capabilities: TransportCapabilities { [] }

    func send(_ request: TarmacCore.Request, exchange: Exchange) async throws -> TarmacCore.Response {
        var response = Response(status: .ok, url: request.url)
        response.headers[.contentType] = request.headers[.contentType]
        if case .bytes(let bytes) = request.body.content { response.body = .bytes(bytes) }
        return response
    }

    func shutdown() async {}
}

extension TransportFactory {
    static var echo: TransportFactory { TransportFactory(name: "echo") { _ in EchoTransport() } }
}
