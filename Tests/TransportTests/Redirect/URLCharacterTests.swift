#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// The characters that RFC 3986, Foundation and libcurl treat differently, in a URL of the call's own and in a Location: a server gets
/// the same meaning over each transport.
@Suite("Characters of URLs over the wire", .timeLimit(.minutes(5)))
struct URLCharacterTests {
    /// A URL behind its host, and the text that it means.
    static let sent: [(written: String, meant: String)] = [
        ("/list?filter[a]=1", "/list?filter[a]=1"), ("/a[1]/b", "/a[1]/b"), ("/a%5B1%5D?b%5Bc%5D=1", "/a[1]?b[c]=1"),
        ("/a[%20]?b[%25]=%5B", "/a[ ]?b[%]=["), ("/][?][", "/][?]["), ("/a|b?c|d", "/a|b?c|d"), ("/a^b?c^d", "/a^b?c^d"), ("/a{b}?c{d}", "/a{b}?c{d}"),
        ("/a\"b?c\"d", "/a\"b?c\"d"), ("/a`b?c`d", "/a`b?c`d"), ("/a<b>?c<d>", "/a<b>?c<d>"), ("/a\\b?c\\d", "/a\\b?c\\d"), ("/a b?c d", "/a b?c d"),
        ("/caf\u{E9}?\u{4E2D}\u{6587}=[\u{1F600}]", "/caf\u{E9}?\u{4E2D}\u{6587}=[\u{1F600}]"), ("/caf%C3%A9", "/caf\u{E9}"), ("/%2F%3F%23", "//?#"),
        ("/a;b:c@d!$&'()*+,=~_-.?/?;:@!$&'()*+,=~", "/a;b:c@d!$&'()*+,=~_-.?/?;:@!$&'()*+,=~"), ("/%7e%41?%7e%41", "/~A?~A"),
    ]

    private func withClient<Value>(_ transport: TransportUnderTest, _ server: ScriptedServer, _ body: (Client) async throws -> Value) async throws -> Value {
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url("/").string))], body)
    }

    private func url(_ server: ScriptedServer, _ written: String) throws -> HTTPURL {
        try HTTPURL(server.url("/").string.dropLast() + written)
    }

    @Test(arguments: RedirectTests.transports, sent)
    func aServerGetsTheMeaning(transport: TransportUnderTest, row: (written: String, meant: String)) async throws {
        let server = try ScriptedServer(.serving { _ in Bytes(ServerScript.Step.response(200, "ok")) })
        defer { server.stop() }
        let url = try url(server, row.written)
        let response = try await withClient(transport, server) { try await $0.send(raw: Request(.get, url)) }
        #expect(response.status == .ok)
        #expect(server.requests.map { $0.target.removingPercentEncoding } == [row.meant])
    }

    @Test(arguments: RedirectTests.transports, sent)
    func aRedirectLeadsToTheMeaning(transport: TransportUnderTest, row: (written: String, meant: String)) async throws {
        // Location is ASCII by RFC 9110 §10.2.2; text outside it is UTF-8 here.
        let server = try ScriptedServer(
            .serving { request in
                let isStart = request.path == "/start"
                return Bytes(isStart ? ServerScript.Step.response(302, headers: [("Location", row.written)], "") : ServerScript.Step.response(200, "ok"))
            })
        defer { server.stop() }
        let start = try url(server, "/start")
        let response = try await withClient(transport, server) { try await $0.send(raw: Request(.get, start)) }
        #expect(response.status == .ok)
        #expect(server.requests.dropFirst().map { $0.target.removingPercentEncoding } == [row.meant])
    }

    @Test(arguments: RedirectTests.transports, ["/%", "/%zz", "/?%a", "http://user@127.0.0.1/", "http://user:pw@127.0.0.1/", "http://[1:2:3:4:5:6:7:8:9]/"])
    func aLocationThatIsNoURLIsRefused(transport: TransportUnderTest, place: String) async throws {
        let server = try ScriptedServer(.serving { _ in Bytes(ServerScript.Step.response(302, headers: [("Location", place)], "")) })
        defer { server.stop() }
        let start = try url(server, "/start")
        let error = await #expect(throws: TarmacError.self) { _ = try await withClient(transport, server) { try await $0.send(raw: Request(.get, start)) } }
        #expect(error != nil)
        #expect(server.requests.count == 1)
    }
}
#endif
