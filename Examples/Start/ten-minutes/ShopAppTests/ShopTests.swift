// An app in ten minutes: its tests, without a server.
// page: tests
import Tarmac
import TarmacTesting
import Testing

@testable import ShopApp

@Test func aRefusedTokenIsRefreshedAndTheFeedIsStored() async throws {
    let stub = StubTransport(routes: [
        .get("/users/7") { request in
            request.headers[.authorization] == "Bearer new" ? .json(#"{"id":7,"name":"ann"}"#) : .status(.unauthorized)
        },
        .post("/refresh") { _ in .json(#"{"token":"new","refreshToken":"r2"}"#) },
        .get("/feed") { _ in .json(#"["cup"]"#, headers: [.cacheControl: "max-age=60"]) },
    ])
    let client = shopClient(.stub(stub))
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    #expect(try await client.send(GetUser(id: 7)).name == "ann")
    for _ in 1...2 { _ = try await client.send(Feed()) }
    #expect(stub.requests.map(\.url.path) == ["/users/7", "/refresh", "/users/7", "/feed"])
}
// page end
