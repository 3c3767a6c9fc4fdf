import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// What a transport is told of a call besides its request.
private final class Listening: Transport {
    let name = "listening"
    let capabilities: TransportCapabilities
    let heard = Watched<[(CallPriority, NetworkAccess)]>([])

    init(_ capabilities: TransportCapabilities) { self.capabilities = capabilities }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        heard.update { $0.append((exchange.priority, exchange.networkAccess)) }
        return Response(status: .ok, headers: [.contentType: "application/json"], body: .bytes(Bytes("{}")), url: request.url)
    }

    func shutdown() async {}
}

/// YTK-13, YTK-14.
@Suite("Priority and networks", .timeLimit(.minutes(5)))
struct NetworkAccessTests {
    private func client(_ transport: Listening) -> Client {
        Client(transport: TransportFactory(name: "l") { _ in transport }, services: [Service("s", host: "https://s.example")])
    }

    // YTK-13, YTK-14
    @Test func aTransportIsToldWhatTheLayersSay() async throws {
        let transport = Listening([.networkAccess])
        let client = client(transport)
        _ = try await client.get("/", as: JSON.self)
        _ = try await client.get("/", as: JSON.self) {
            $0.priority = .high
            $0.networkAccess = NetworkAccess(allowsCellular: false, allowsConstrained: false)
        }
        _ = try await client.get("/", as: JSON.self) { $0.networkAccess = NetworkAccess(allowsExpensive: false) }
        var second = NetworkAccess(), third = NetworkAccess()
        second.allowsCellular = false
        second.allowsConstrained = false
        third.allowsExpensive = false
        #expect(transport.heard.value.map(\.0) == [.normal, .high, .normal])
        #expect(transport.heard.value.map(\.1) == [NetworkAccess(), second, third])
    }

    // YTK-13: whichever network a call forbids: such a transport refuses it by the name of the setting, and nothing is sent.
    @Test(
        arguments: [NetworkAccess(allowsCellular: false), NetworkAccess(allowsExpensive: false), NetworkAccess(allowsConstrained: false)])
    func aTransportThatCannotIsNotAsked(access: NetworkAccess) async throws {
        let transport = Listening([])
        let client = client(transport)
        let error = await failure { _ = try await client.get("/", as: JSON.self) { $0.networkAccess = access } }
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("networkAccess") == true)
        #expect(transport.heard.value.isEmpty)
        // What forbids nothing needs nothing.
        _ = try await client.get("/", as: JSON.self) { $0.networkAccess = NetworkAccess() }
    }
}
