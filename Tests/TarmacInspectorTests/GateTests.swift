import Testing

@testable import TarmacInspector

@Suite struct GateTests {
    private static let token = "0123456789abcdef0123456789abcdef"
    private let gate = Gate(token: AccessToken(text: token), port: 4711, isPublic: false)

    private static func get(_ path: String, token: String? = token, host: String? = "127.0.0.1:4711") -> InspectorRequest {
        InspectorRequest("GET", path, headers: fields(token, host))
    }

    private static func post(
        _ path: String, token: String? = token, host: String? = "127.0.0.1:4711", origin: String? = "http://127.0.0.1:4711",
        type: String? = "application/json", length: String? = "2"
    ) -> InspectorRequest {
        let more = [("Origin", origin), ("Content-Type", type), ("Content-Length", length)].compactMap { name, value in value.map { (name, $0) } }
        return InspectorRequest("POST", path, headers: fields(token, host) + more)
    }

    private static func fields(_ token: String?, _ host: String?) -> [(name: String, value: String)] {
        [("Host", host), ("X-Tarmac-Token", token)].compactMap { name, value in value.map { (name, $0) } }
    }

    @Test func pageNeedsItsTokenInTheURL() {
        let host = [(name: "Host", value: "127.0.0.1:4711")]
        #expect(gate.refusal(of: InspectorRequest("GET", "/", query: [("token", Self.token)], headers: host)) == nil)
        #expect(gate.refusal(of: InspectorRequest("GET", "/api/events", query: [("token", Self.token)], headers: host)) == nil)
        #expect(gate.refusal(of: InspectorRequest("GET", "/", headers: host))?.status == 401)
        #expect(gate.refusal(of: Self.get("/"))?.status == 401)
    }

    @Test func linkWithTheTokenReachesNoCall() {
        let link = InspectorRequest("GET", "/api/calls", query: [("token", Self.token)], headers: [("Host", "127.0.0.1:4711")])
        #expect(gate.refusal(of: link)?.status == 401)
        #expect(gate.refusal(of: Self.get("/api/calls")) == nil)
    }

    @Test(arguments: [
        nil, "", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0", "0123456789ABCDEF0123456789ABCDEF", "1123456789abcdef0123456789abcdef",
    ])
    func otherTokenIsRefused(token: String?) {
        #expect(gate.refusal(of: Self.get("/api/calls", token: token))?.status == 401)
        #expect(gate.refusal(of: Self.post("/api/clear", token: token))?.status == 401)
    }

    @Test func tokenThatOccursTwiceIsRefused() {
        let twice = [(name: "token", value: Self.token), (name: "token", value: "other")]
        #expect(gate.refusal(of: InspectorRequest("GET", "/", query: twice, headers: [("Host", "127.0.0.1:4711")]))?.status == 401)
    }

    @Test(arguments: ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711", "[::1]:4711"])
    func ownAddressPasses(host: String) {
        #expect(gate.refusal(of: Self.get("/api/calls", host: host)) == nil)
        #expect(gate.refusal(of: Self.post("/api/clear", host: host, origin: "http://\(host)")) == nil)
    }

    @Test(arguments: [
        nil, "", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:47110", "evil.example:4711", "127.0.0.1.evil.example:4711", "localhost.evil.example:4711",
        "192.168.1.5:4711", "127.0.0.1:4711, evil.example:4711", "[::2]:4711",
    ])
    func otherHostIsRefused(host: String?) {
        #expect(gate.refusal(of: Self.get("/api/calls", host: host))?.status == 403)
    }

    /// Browsers leave the port out.
    @Test func portOfHTTPMayBeLeftOut() {
        let gate = Gate(token: AccessToken(text: Self.token), port: 80, isPublic: false)
        for host in ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:80"] {
            #expect(gate.refusal(of: Self.get("/api/calls", host: host)) == nil, "\(host)")
            #expect(gate.refusal(of: Self.post("/api/clear", host: host, origin: "http://\(host)")) == nil, "\(host)")
        }
        for host in ["", "evil.example", "127.0.0.1:81", "127.0.0.1:8080", "[::1]:81", "127.0.0.1:80:80"] {
            #expect(gate.refusal(of: Self.get("/api/calls", host: host))?.status == 403, "\(host)")
        }
    }

    @Test func publicServerTakesAddressesAndNoNames() {
        let open = Gate(token: AccessToken(text: Self.token), port: 4711, isPublic: true)
        for host in ["192.168.1.5:4711", "[fe80::1]:4711", "localhost:4711"] { #expect(open.refusal(of: Self.get("/api/calls", host: host)) == nil, "\(host)") }
        for host in ["evil.example:4711", "1.2.3.4.evil:4711", "1.2.3.256:4711", "192.168.1.5:4712"] {
            #expect(open.refusal(of: Self.get("/api/calls", host: host))?.status == 403, "\(host)")
        }
    }

    @Test(arguments: [nil, "null", "http://evil.example", "http://127.0.0.1:4712", "https://127.0.0.1:4711", "http://localhost:4711"])
    func actionOfAnotherPageIsRefused(origin: String?) {
        #expect(gate.refusal(of: Self.post("/api/resend", origin: origin))?.status == 403)
    }

    @Test(arguments: ["null", "http://evil.example", "http://127.0.0.1:4712", "https://127.0.0.1:4711"])
    func otherPageReadsNothing(origin: String) {
        func get(_ path: String) -> InspectorRequest {
            InspectorRequest("GET", path, headers: Self.fields(Self.token, "127.0.0.1:4711") + [("Origin", origin)])
        }
        for path in InspectorPath.allCases {
            let query = [(name: "token", value: Self.token)], host = [(name: "Host", value: "127.0.0.1:4711"), (name: "Origin", value: origin)]
            // The token is not looked at.
            for tokens in [[], [(name: "X-Tarmac-Token", value: Self.token)]] {
                let request = InspectorRequest(path.method, path.rawValue, query: query, headers: host + tokens)
                #expect(gate.refusal(of: request)?.code == .otherPage, "\(path)")
            }
        }
        #expect(gate.refusal(of: get("/api/nothing"))?.code == .otherPage)
        let own = InspectorRequest("GET", "/api/calls", headers: Self.fields(Self.token, "127.0.0.1:4711") + [("Origin", "http://127.0.0.1:4711")])
        #expect(gate.refusal(of: own) == nil)
    }

    @Test func actionNeedsJSONOfABoundedLength() {
        #expect(gate.refusal(of: Self.post("/api/resend", type: "text/plain"))?.status == 415)
        #expect(gate.refusal(of: Self.post("/api/resend", type: nil))?.status == 415)
        #expect(gate.refusal(of: Self.post("/api/resend", length: nil))?.status == 411)
        #expect(gate.refusal(of: Self.post("/api/resend", length: "65537"))?.status == 413)
        #expect(gate.refusal(of: Self.post("/api/resend", length: "65536")) == nil)
    }

    /// The server does not read such a body, so it must not keep the connection either.
    @Test(arguments: [("Content-Length", "65537"), ("Content-Length", "99999999999999999999"), ("Content-Length", "x"), ("Transfer-Encoding", "chunked")])
    func bodyWithoutABoundIsRefusedWhateverItIsFor(name: String, value: String) {
        for path in ["/", "/api/calls", "/api/resend", "/nothing"] {
            let request = InspectorRequest("GET", path, headers: Self.fields(Self.token, "127.0.0.1:4711") + [(name, value)])
            #expect([411, 413].contains(gate.refusal(of: request)?.status), "\(path)")
        }
    }

    @Test(arguments: InspectorPath.allCases, ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
    func pathTakesOneMethod(path: InspectorPath, method: String) {
        let request = InspectorRequest(
            method, path.rawValue, query: [("token", Self.token)],
            headers: Self.fields(Self.token, "127.0.0.1:4711") + [
                ("Origin", "http://127.0.0.1:4711"), ("Content-Type", "application/json"), ("Content-Length", "2"),
            ])
        #expect(gate.refusal(of: request)?.status == (method == path.method ? nil : 405))
    }

    @Test(arguments: ["", "/api", "/api/calls/", "//", "/favicon.ico", "/../", "/api/call/1"])
    func otherPathIsNotThere(path: String) { #expect(gate.refusal(of: Self.get(path))?.status == 404) }

    @Test func strangerDoesNotLearnThePaths() {
        for path in ["/api/calls", "/api/nothing"] { #expect(gate.refusal(of: Self.get(path, token: nil))?.status == 401) }
    }

    @Test func tokensDifferAndAreNotShown() {
        let tokens = (0..<50).map { _ in AccessToken() }
        #expect(Set(tokens.map(\.text)).count == 50)
        #expect(tokens.allSatisfy { $0.text.utf8.count == 32 })
        var shown = "\(tokens[0])"
        dump(tokens[0], to: &shown)
        #expect(!shown.contains(tokens[0].text))
    }
}
