import HTTPTypes
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite struct RedirectPolicyTests {
    private func request(
        _ method: HTTPRequest.Method = .get, _ url: String = "https://a.example/start?x=1", headers: HTTPFields = [:],
        body: Body = .none
    ) throws -> Request {
        Request(method, try HTTPURL(url), headers: headers, body: body)
    }

    private func decide(
        _ request: Request, _ code: Int, _ location: String?, rule: RedirectRule = .follow, hops: [Request] = [],
        credentials: Set<HTTPField.Name> = []
    ) throws(TarmacError) -> RedirectPolicy.Decision {
        var headers = HTTPFields()
        if let location { headers[.location] = location }
        return try RedirectPolicy(rule: rule, credentialHeaders: credentials)
            .decide(request: request, status: .init(code: code), headers: headers, hops: hops)
    }

    private func followed(_ decision: RedirectPolicy.Decision) throws -> Request {
        guard case .follow(let next) = decision else { throw Delivered() }
        return next
    }

    private struct Delivered: Error {}

    private static let oneWay = Body.stream(ByteStream(AsyncStream { $0.finish() }))

    // MARK: What is a redirect

    @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 400])
    func otherStatusesAreDelivered(_ code: Int) throws {
        #expect(throws: Delivered.self) { try followed(decide(request(), code, "/next")) }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsAreFollowed(_ code: Int) throws {
        let next = try followed(decide(request(), code, "/next"))
        #expect(next.url.string == "https://a.example/next")
        #expect(next.method == .get)
    }

    @Test func withoutALocationTheResponseIsDelivered() throws {
        #expect(throws: Delivered.self) { try followed(decide(request(), 302, nil)) }
    }

    @Test func offDeliversTheResponse() throws {
        #expect(throws: Delivered.self) { try followed(decide(request(), 302, "/next", rule: .off)) }
    }

    // MARK: Where to

    @Test(arguments: [
        ("/next", "https://a.example/next"), ("next", "https://a.example/dir/next"), ("?y=2", "https://a.example/dir/start?y=2"),
        ("../up#part", "https://a.example/up"), ("//b.example/p", "https://b.example/p"), ("https://b.example", "https://b.example/"),
        ("", "https://a.example/dir/start?x=1"), ("/中 文", "https://a.example/%E4%B8%AD%20%E6%96%87"),
    ])
    func locationIsResolvedWithoutItsFragment(_ location: String, _ expected: String) throws {
        #expect(try followed(decide(request(.get, "https://a.example/dir/start?x=1"), 302, location)).url.string == expected)
    }

    @Test(arguments: ["ftp://a.example/", "javascript:alert(1)", "https://", "http://[::1", "/%zz", "https://user:pw@b.example/"])
    func aMalformedOrForeignLocationIsRefused(_ location: String) throws {
        let error = #expect(throws: TarmacError.self) { try decide(request(), 302, location) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.phase == .redirecting)
        #expect(error?.reason.contains("https://a.example/start") == true)
        #expect(error?.reason.contains("pw@") == false)
        #expect(error?.cause(as: TarmacError.self)?.code == .invalidURL)
    }

    @Test(arguments: ["/reset/hunter2/", "?again=hunter2", "https://b.example/hunter2?t=hunter2#hunter2", ""])
    func aPlaceThatMayRepeatTheSecretOfAPathIsNotShown(location: String) throws {
        var request = try request(.get, "https://a.example/reset/hunter2")
        request.url = request.url.showing(path: "/reset/…")
        let next = try followed(decide(request, 301, location))
        #expect(try next.url == HTTPURL("https://a.example/reset/hunter2").resolving(location))
        let again = try followed(decide(next, 301, "/again/hunter2"))
        for shown in [next, again] {
            #expect(!"\(shown.url) \(shown) \(Redactor.standard.url(shown.url))".contains("hunter2"))
        }
    }

    @Test func severalLocationsAreRefused() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .location, value: "/a"))
        headers.append(HTTPField(name: .location, value: "/b"))
        let policy = RedirectPolicy(rule: .follow, credentialHeaders: [])
        let error = #expect(throws: TarmacError.self) {
            try policy.decide(request: request(), status: .found, headers: headers, hops: [])
        }
        #expect(error?.code == .redirectRefused)
    }

    // MARK: Method and body

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
        (303, "HEAD", "HEAD"), (303, "GET", "GET"), (301, "PUT", "PUT"), (302, "PATCH", "PATCH"), (302, "HEAD", "HEAD"),
        (302, "DELETE", "DELETE"), (307, "POST", "POST"), (308, "POST", "POST"), (308, "PATCH", "PATCH"), (307, "HEAD", "HEAD"),
    ])
    func methodsChangeAsInBrowsers(_ code: Int, _ method: String, _ expected: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        let body: Body = method == .get || method == .head ? .none : .text("hello")
        let next = try followed(decide(request(method, headers: [.contentType: "text/plain"], body: body), code, "/next"))
        #expect(next.method.rawValue == expected)
        #expect(next.body.isNone == (next.method != method || body.isNone))
    }

    @Test func aDroppedBodyTakesItsFieldsAlong() throws {
        var headers: HTTPFields = [.accept: "application/json", .authorization: "Bearer x", .userAgent: "Tarmac"]
        for name in [
            "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Content-MD5",
            "Transfer-Encoding", "Digest", "Content-Digest", "Repr-Digest", "Trailer", "Expect",
        ] {
            headers[try #require(HTTPField.Name(name))] = "x"
        }
        let next = try followed(decide(request(.post, headers: headers, body: .text("hello")), 303, "/next"))
        #expect(Set(next.headers.map(\.name)) == [.accept, .authorization, .userAgent])
    }

    @Test func keptBodiesKeepTheirFields() throws {
        let headers: HTTPFields = [.contentType: "text/plain"]
        let next = try followed(decide(request(.post, headers: headers, body: .text("hello")), 307, "/next"))
        #expect(next.headers == headers)
        #expect(next.body.length == 5)
    }

    @Test(arguments: [(307, "POST"), (308, "PUT"), (302, "PUT")])
    func aBodyThatCanBeReadOnceStopsTheCall(_ code: Int, _ method: String) throws {
        let upload = try request(#require(HTTPRequest.Method(method)), body: Self.oneWay)
        let error = #expect(throws: TarmacError.self) { try decide(upload, code, "https://b.example/next?secret=1") }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.reason.contains("https://a.example/start") == true)
        #expect(error?.reason.contains("https://b.example/next") == true)
        #expect(error?.reason.contains("secret=1") == false)
    }

    @Test func aBodyThatIsDroppedNeedNotBeReplayable() throws {
        #expect(try followed(decide(request(.post, body: Self.oneWay), 303, "/next")).body.isNone)
    }

    // MARK: Credentials

    @Test(arguments: [
        ("/next", true), ("https://a.example:443/next", true), ("https://b.example/", false), ("https://a.example:8443/", false),
        ("https://sub.a.example/", false),
    ])
    func credentialsStayWithinTheOrigin(_ location: String, _ stay: Bool) throws {
        let apiKey = try #require(HTTPField.Name("X-API-Key"))
        let headers: HTTPFields = [
            .authorization: "Bearer x", .cookie: "a=b", .proxyAuthorization: "Basic y", apiKey: "k", .accept: "*/*",
        ]
        let next = try followed(decide(request(headers: headers), 307, location, credentials: [apiKey]))
        #expect(next.headers == (stay ? headers : [.accept: "*/*"]))
    }

    @Test func anUpgradeToHTTPSIsAnotherOrigin() throws {
        let plain = try request(.get, "http://a.example/", headers: [.authorization: "Bearer x"])
        #expect(try followed(decide(plain, 301, "https://a.example/")).headers.isEmpty)
    }

    // MARK: Refusals

    @Test func httpsToHTTPIsRefusedUnlessAllowed() throws {
        let error = #expect(throws: TarmacError.self) { try decide(request(), 302, "http://a.example/next") }
        #expect(error?.code == .redirectRefused)
        #expect(error?.reason.contains("http://a.example/next") == true)
        let next = try followed(decide(request(), 302, "http://a.example/next", rule: .follow.allowingDowngrade()))
        #expect(next.url.string == "http://a.example/next")
    }

    @Test func plainMayStayPlain() throws {
        #expect(try followed(decide(request(.get, "http://a.example/"), 302, "http://b.example/")).url.host == "b.example")
    }

    @Test(arguments: [("/next", true), ("https://b.example/", false), ("https://a.example:444/", false)])
    func sameOriginOnlyRefusesOthers(_ location: String, _ isFollowed: Bool) throws {
        let outcome = Result { try decide(request(), 302, location, rule: .sameOriginOnly) }
        switch outcome {
        case .success(.follow): #expect(isFollowed)
        case .success(.deliver): Issue.record("delivered")
        case .failure(let error):
            #expect(!isFollowed)
            #expect((error as? TarmacError)?.code == .redirectRefused)
        }
    }

    // MARK: How many

    @Test func theLimitCountsRedirectsFollowed() throws {
        let hops = try (0..<10).map { try request(.get, "https://a.example/\($0)") }
        #expect(try followed(decide(request(), 302, "/next", hops: Array(hops.prefix(9)))).url.path == "/next")
        let error = #expect(throws: TarmacError.self) { try decide(request(), 302, "/next", hops: hops) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.reason.contains("10") == true)
        #expect(error?.reason.contains("https://a.example/next") == true)
    }

    @Test func aLimitOfNoneFailsAtTheFirst() throws {
        let error = #expect(throws: TarmacError.self) { try decide(request(), 302, "/next", rule: .follow(limit: 0)) }
        #expect(error?.code == .redirectRefused)
    }

    @Test func theSecondReturnIsALoop() throws {
        let (a, b) = (try request(.get, "https://a.example/a"), try request(.get, "https://a.example/b"))
        #expect(try followed(decide(b, 302, "/a", hops: [a])).url.path == "/a")
        let error = #expect(throws: TarmacError.self) { try decide(b, 302, "/a", hops: [a, b, a]) }
        #expect(error?.code == .redirectRefused)
        #expect(error?.reason.contains("https://a.example/a") == true)
        #expect(error?.reason.contains("https://a.example/b") == true)
    }

    @Test func anotherMethodIsAnotherRequest() throws {
        let post = try request(.post, body: .text("x"))
        #expect(try followed(decide(post, 303, "", hops: [post, post])).method == .get)
    }

    // MARK: The rule

    @Test func ruleSaysWhatItDoes() {
        #expect("\(RedirectRule.follow)" == "at most 10")
        #expect("\(RedirectRule.follow(limit: 3))" == "at most 3")
        #expect("\(RedirectRule.off)" == "off")
        #expect("\(RedirectRule.sameOriginOnly)" == "at most 10, same origin only")
        #expect("\(RedirectRule.follow.allowingDowngrade())".contains("EVEN FROM https TO http"))
        #expect(RedirectRule.follow(limit: -1).fault != nil)
        #expect(RedirectRule.follow.fault == nil)
    }
}
