import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

/// XF-6: services of one backend, each below a path of its own.
@Suite("Sub-paths", .timeLimit(.minutes(5)))
struct SubPathTests {
    private static let company: [ServiceEnvironment: Hosts] = [
        .production: Hosts("https://api.example/v2?key=1", cdn: "https://cdn.example"), .test: "https://test.example",
    ]

    private func url(
        _ route: String, below subPath: String, _ parameters: ParameterList = [:], in environment: ServiceEnvironment = .production
    ) throws -> String {
        let service = Service("orders", hosts: Self.company) { $0.subPath = subPath }
        let client = Client(transport: .stub { _ in .json("{}") }, services: [service], environment: environment)
        return try client.request(for: .get(route, parameters, as: JSON.self)).url.string
    }

    // XF-6
    @Test(arguments: [
        ("/orders", "/{id}", "https://api.example/v2/orders/7?key=1"), ("orders", "/{id}", "https://api.example/v2/orders/7?key=1"),
        ("/orders/", "/{id}", "https://api.example/v2/orders/7?key=1"), ("/a/b", "{id}", "https://api.example/v2/a/b/7?key=1"),
        ("/ä b", "/{id}", "https://api.example/v2/%C3%A4%20b/7?key=1"), ("", "/{id}", "https://api.example/v2/7?key=1"),
    ])
    func itStandsBetweenBaseAndRoute(subPath: String, route: String, expected: String) throws {
        #expect(try url(route, below: subPath, ["id": 7]) == expected)
    }

    @Test func everyEnvironmentKeepsItsBase() throws {
        #expect(try url("/x", below: "/orders", in: .test) == "https://test.example/orders/x")
    }

    @Test(arguments: ["/items", "/items/{id}"])
    func anEmptyQueryOfTheBaseLeavesNoMark(route: String) throws {
        let client = Client(transport: .stub { _ in .json("{}") }, services: [Service("s", host: "https://api.example/v2?")])
        let parameters: ParameterList = route == "/items" ? [:] : ["id": 7]
        let target = try client.request(for: .get(route, parameters, as: JSON.self)).url.requestTarget
        #expect(!target.contains("?"))
    }

    @Test func anAbsoluteRouteIgnoresIt() throws {
        #expect(try url("https://other.example/x", below: "/orders") == "https://other.example/x")
    }

    @Test func aCallMayLeaveItOut() throws {
        let service = Service("orders", hosts: Self.company) { $0.subPath = "/orders" }
        let client = Client(transport: .stub { _ in .json("{}") }, services: [service])
        #expect(try client.request(for: .get("/x", as: JSON.self)) { $0.subPath = "" }.url.path == "/v2/x")
        #expect(client.explain(.get("/x", as: JSON.self))["subPath"].map { "\($0)" } == "subPath /orders ← service orders, hides default none")
    }

    @Test func itMovesToTheOriginWithTheRest() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        }
        let service = Service("orders", hosts: Self.company) { $0.subPath = "/orders" }
        _ = try await Client(transport: .stub(stub), services: [service]).get("/x", as: JSON.self) { $0.host = .cdn }
        #expect(stub.requests.map(\.url.string) == ["https://cdn.example/orders/x", "https://api.example/v2/orders/x?key=1"])
    }

    @Test(arguments: ["/a?b=1", "/a#b", "/a/../b", "./a", "/{id}", "/a\r\nb", "/%zz"])
    func whatIsNoPathIsRefusedAndNamed(subPath: String) async {
        let error = #expect(throws: TarmacError.self) { try url("/x", below: subPath) }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("subPath") == true)
    }
}
