#if Tools
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// A Location whose host is outside ASCII leads to the same host over each transport, however it is written (RFC 3986 §3.2.2).
@Suite("International hosts in Location", .timeLimit(.minutes(5)))
struct InternationalLocationTests {
    static let led: [(place: String, host: String)] = [
        ("http://b\u{FC}cher.invalid/\u{E9}", "xn--bcher-kva.invalid"), ("//b\u{FC}cher.invalid/x", "xn--bcher-kva.invalid"),
        ("http://b%C3%BCcher.invalid/", "xn--bcher-kva.invalid"), ("http://b%c3%bccher.invalid/", "xn--bcher-kva.invalid"),
        ("//B\u{DC}CHER.Invalid:80?q=\u{E9}", "xn--bcher-kva.invalid"), ("http://xn--bcher-kva.invalid/", "xn--bcher-kva.invalid"),
        ("http://\u{4F8B}.invalid/a?b=\u{E9}", "xn--fsq.invalid"), ("http://%E4%BE%8B.invalid/", "xn--fsq.invalid"),
        ("http://\u{E9}\u{3002}invalid/", "xn--9ca.invalid"),
        ("http://%61.invalid/", "a.invalid"),
    ]

    /// Each with a text that its error has.
    static let refused: [(place: String, reason: String)] = [
        ("http://-\u{FC}.invalid/", "label \"-\u{FC}\""), ("http://xn--\u{FC}.invalid/", "label \"xn--\u{FC}\""),
        ("http://\u{FC}%20b.invalid/", "label \"\u{FC} b\""),
        ("http://a.%EF%BF%BD.invalid/", "label \"\u{FFFD}\""), ("http://a%FF.invalid/", "not UTF-8"), ("http://a%2Fb.invalid/", "character no host has"),
        ("http://a%40b.invalid/", "character no host has"), ("http://127.0.0.1%00/", "character no host has"), ("http://a%zz.invalid/", "percent sign"),
    ]

    private func error(_ transport: TransportUnderTest, _ place: String) async throws -> TarmacError? {
        let server = try ScriptedServer(.serving { _ in Bytes(ServerScript.Step.response(302, headers: [("Location", place)], "")) })
        defer { server.stop() }
        let error = await #expect(throws: TarmacError.self) {
            try await Tarmac.withClient(
                transport: transport.factory, services: [Service("s", host: Hosts(server.url("/").string))],
                configure: { ($0.retry, $0.allowsInsecureHTTP) = (.never, true) },
                { client in _ = try await client.send(raw: Request(.get, server.url("/"))) })
        }
        #expect(server.requests.count == 1)
        return error
    }

    @Test(arguments: RedirectTests.transports, led)
    func aRedirectLeadsToTheHostInASCII(transport: TransportUnderTest, row: (place: String, host: String)) async throws {
        let error = try await error(transport, row.place)
        #expect(error?.code == .cannotFindHost, "\(error?.reason ?? "")")
        #expect(error?.reason.contains(row.host) == true, "\(error?.reason ?? "")")
        #expect(try HTTPURL("http://a.invalid/").resolving(row.place).host == row.host)
    }

    @Test(arguments: RedirectTests.transports, refused)
    func aHostThatIsNoneIsRefusedByName(transport: TransportUnderTest, row: (place: String, reason: String)) async throws {
        let error = try await error(transport, row.place)
        #expect(error?.code == .redirectRefused && error?.reason.contains(row.reason) == true, "\(error?.reason ?? "")")
    }
}
#endif
