// swift-format-ignore-file
// Laid out as the READMEs show it.
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

struct ShopError: Decodable, Sendable { var reason: String }

@Suite("README")
struct ReadmeTests {
    @Test func aUserLands() async throws {
        let stub = StubTransport { _ in .json(#"{"status":1,"data":{"id":7,"name":"ann"}}"#) }
        let client = Client(transport: .stub(stub), services: [.shop], environment: .test)
        let user = try await client.send(GetUser(id: 7))
        #expect(user.name == "ann")
        #expect(stub.requests.first?.url.string == "https://test.shop.example/users/7")
    }

    @Test func aRefusalCarriesTheServersOwnError() async {
        let stub = StubTransport { _ in .json(#"{"reason":"sold out"}"#, status: .conflict) }
        let client = Client(transport: .stub(stub), services: [.shop])
        var shown: [String] = []
        do {
            _ = try await client.send(GetUser(id: 7))
        } catch let error as TarmacError {
            switch error.code {
            case .unacceptableStatus: shown.append((try? error.serverError(as: ShopError.self))?.reason ?? error.userMessage)
            case .timeout, .connectionLost: shown.append("try again")
            default: shown.append(error.userMessage)
            }
        } catch {}  // CancellationError, and nothing else
        #expect(shown == ["sold out"])
    }

    @Test func aShapeNamesWhatIsWrong() async {
        let stub = StubTransport { _ in .json(#"{"status":1,"data":[{"id":7,"state":"lost"}]}"#) }
        let client = Client(transport: .stub(stub), services: [.shop])
        let error = await #expect(throws: TarmacError.self) { try await client.send(ListOrders()) }
        #expect(error?.code == .shapeMismatch)
        #expect(error?.path == "$.data[0].state")
    }

    @Test func everySettingNamesItsOrigin() throws {
        let client = Client(transport: .stub { _ in .json("{}") }, services: [.shop])
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .service("shop"))
        #expect(client.explain(GetUser(id: 7))["timeout"].map { "\($0)" } == "timeout 15 s ← service shop, hides default 60 s")
    }
}
