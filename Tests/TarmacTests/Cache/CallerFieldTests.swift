import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacResilience

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Fields that say who asks keep stored and shared answers apart, although no `principal` is set and no `Vary` names them.
@Suite("Cache: fields that say who asks", .timeLimit(.minutes(5)))
struct CallerFieldTests {
    private let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))

    static let asking = [
        "X-User-Id", "X-UserId", "userid", "X-User", "X-UID", "uid", "X-User-Name", "X-User-Email", "From", "X-Account", "X-Account-Id", "accountId",
        "X-Tenant-Id", "X-Tenant", "tenantid", "X-Org-Id", "X-Organization", "OpenAI-Organization", "X-Member-Id", "X-Customer-Number",
        "X-Device-Id", "X-Session", "X-Session-Id", "Ticket", "X-Ticket", "X-Access", "X-Acme-Key", "X-AcmeKey", "Api-Key", "X-Token", "X-Auth",
        "X-Auth-User", "X-Identity", "X-Subject", "X-Role", "X-Roles", "Client-Id", "X-Client-Id", "X-Impersonate-User", "X-On-Behalf-Of",
        "X-Profile-Id", "X-Workspace-Id", "X-Principal", "X-Forwarded-User", "Remote-User", "X-Patient-Id",
        "X-User-Info", "X-Account-Info", "X-Identity-Info", "X-Page-User-Id", "X-Event-User-Id", "X-Message-Tenant-Id", "openid", "X-WX-OpenId", "unionid",
        "X-Uin", "X-Staff-Id", "X-Operator-Id", "X-Emp-No",
        "X-Tenant-Name", "x-tenantname", "X-Org-Name", "X-Store-Name", "X-Userinfo", "x-useremail", "x-userphone", "X-Tenant-Partition", "X-Namespace",
        "Stripe-Context", "X-Business-Id", "X-Entity-Id", "X-Whatever-Id", "X-Hotel-Id", "X-Agent-Id", "X-Author-Id", "X-SSN", "X-Guid", "X-UUID", "X-Id",
        "X-Me", "X-Brand-Id", "X-Card-Number", "X-Policy-Number", "X-Booking-Code", "X-Invite", "X-Act-As", "X-Run-As", "X-Database", "X-Usuario",
        "custNo", "X-Stu-No", "X-Nick", "X-Handle", "X-Alias", "X-AnchorMailbox", "X-Admin", "X-OIDC-Sub", "X-Dept", "X-IMSI", "X-Policyholder", "X-Policy-No",
    ]

    static let others = [
        "Accept", "User-Agent", "X-App-Version", "X-Request-Id", "traceparent", "Accept-Language", "Accept-Charset", "X-Correlation-Id",
        "X-Client-Version", "X-Device-Model", "X-Device-Type", "X-Client-Name", "X-Platform", "X-Timezone", "X-B3-TraceId", "X-Amzn-Trace-Id",
        "X-Client-Request-Id", "Referer", "Priority", "Sec-CH-UA-Platform", "X-User-Agent", "X-Requested-With", "DNT", "X-Session-Trace-Id", "X-Client-Info",
        "X-Tenant-Region", "X-Interaction-Id", "X-Call-Id", "X-Client-Trace", "X-App-Id", "X-Build-Number", "X-Country-Code", "Stripe-Version",
        "X-Datadog-Parent-Id", "X-Page-Number", "X-Request-No", "X-Build-No",
    ]

    private func counting() -> StubTransport { StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) } }

    private func get(_ client: Client, _ name: String, _ value: String, principal: String = "") async throws -> Response {
        let field = try #require(HTTPField.Name(name))
        let url = try HTTPURL("https://s.example/me")
        return try await client.send(raw: Request(.get, url, headers: [field: value])) { if !principal.isEmpty { $0.principal = principal } }
    }

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void = { $0.cache = .http }) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, configure: configure)
    }

    @Test(arguments: asking) func aFieldThatSaysWhoAsksKeepsStoredAnswersApart(_ name: String) async throws {
        let stub = counting(), client = client(stub)
        #expect(try await !get(client, name, "ann").source.isCache)
        #expect(try await !get(client, name, "bob").source.isCache)
        #expect(try await get(client, name, "ann").source.isCache)
        #expect(stub.requests.count == 2)
        await client.shutdown()
    }

    @Test(arguments: others) func anyOtherFieldDoesNot(_ name: String) async throws {
        let stub = counting(), client = client(stub)
        #expect(try await !get(client, name, "1").source.isCache)
        #expect(try await get(client, name, "2").source.isCache)
        await client.shutdown()
    }

    @Test(arguments: asking) func theRuleOfTheAppKeepsThemApartToo(_ name: String) async throws {
        let client = client(counting()) { $0.cache = .ttl(.seconds(60)) }
        #expect(try await !get(client, name, "ann").source.isCache)
        #expect(try await !get(client, name, "bob").source.isCache)
        await client.shutdown()
    }

    @Test(arguments: asking) func concurrentCallsShareNoAnswer(_ name: String) async throws {
        let stub = counting()
        stub.hold()
        let client = client(stub) {
            $0.cache = .http
            $0.coalesces = true
        }
        async let ann = get(client, name, "ann"), bob = get(client, name, "bob")
        await eventually { stub.requests.count == 2 }
        stub.release()
        _ = try await (ann, bob)
        await client.shutdown()
    }

    @Test func aNameForTheCallerDoesNotHideItsOwnFields() async throws {
        let client = client(counting())
        #expect(try await !get(client, "X-Tenant-Id", "1", principal: "ann").source.isCache)
        #expect(try await !get(client, "X-Tenant-Id", "2", principal: "ann").source.isCache)
        #expect(try await get(client, "X-Tenant-Id", "1", principal: "ann").source.isCache)
        await client.shutdown()
    }

    @Test func aKeyThatTheServiceSendsWithAllCallsDoesNotCountBesideAName() throws {
        func text(_ name: String, _ own: HTTPFields?) throws -> String? {
            CallerFields.text(of: [try #require(HTTPField.Name(name)): "0"], own: own, redactor: Redactor.standard) { $0 }?.text
        }
        #expect(try text("X-Acme-Key", nil) == "#x-acme-key:1:0" && text("X-Acme-Key", [:]) == nil)
        #expect(try text("X-Tenant-Id", nil) == "#x-tenant-id:1:0" && text("X-Tenant-Id", [:]) == "#x-tenant-id:1:0")
    }

    /// The client's layer can be replaced for the next call.
    @Test func aFieldOfAReplacedLayerKeepsAnswersApart() async throws {
        let client = client(counting()) {
            ($0.cache, $0.principal) = (.http, "ann")
            $0.headers["X-Tenant-Id"] = "1"
        }
        #expect(try await !get(client, "Accept", "*/*").source.isCache)
        client.options.headers["X-Tenant-Id"] = "2"
        #expect(try await !get(client, "Accept", "*/*").source.isCache)
        await client.shutdown()
    }

    @Test func aFieldThatLetsSomeoneInIsInNoFile() throws {
        func isDurable(_ name: String) throws -> Bool? {
            CallerFields.text(of: [try #require(HTTPField.Name(name)): "1"], own: nil, redactor: Redactor.standard) { $0 }?.isDurable
        }
        #expect(try isDurable("X-User-Id") == true)
        #expect(try isDurable("Ticket") == false)
        #expect(try isDurable("X-Acme-Key") == false)
    }

    @Test func anAnswerToAFieldThatAnInterceptorAddedIsNotStored() async throws {
        let stub = counting(), user = Watched("ann"), name = try #require(HTTPField.Name("X-User-Id"))
        let client = client(stub) {
            $0.cache = .http
            $0.attemptInterceptors = [Adding(name: name, user: user)]
        }
        #expect(try await !get(client, "Accept", "*/*").source.isCache)
        user.update { $0 = "bob" }
        #expect(try await !get(client, "Accept", "*/*").source.isCache)
        await client.shutdown()
    }

    /// A device has the same name for all its users, so the field says nothing that the key does not have.
    @Test func anAnswerToTheNameOfADeviceThatAnInterceptorAddedIsStored() async throws {
        let client = client(counting()) {
            $0.cache = .http
            $0.attemptInterceptors = [Adding(name: HTTPField.Name("X-Device-Id")!, user: Watched("phone"))]
        }
        #expect(try await !get(client, "Accept", "*/*").source.isCache)
        #expect(try await get(client, "Accept", "*/*").source.isCache)
        await client.shutdown()
    }

    @Test func explainNamesTheFieldsThatKeepAnswersApart() async throws {
        let client = client(counting()) { $0.cache = .http }
        let explanation = client.explain(InlineEndpoint<Void>.get("/a")) {
            ($0.headers["X-User-Id"], $0.headers["Ticket"]) = ("ann", "hunter2")
        }
        let cache = try #require(explanation.settings.first { $0.name == "cache" })
        #expect(cache.value.hasSuffix("kept apart by ticket, x-user-id"), "\(cache.value)")
        #expect(try #require(client.explain(InlineEndpoint<Void>.get("/a")).settings.first { $0.name == "cache" }).value.contains("apart") == false)
        await client.shutdown()
    }

    private struct Adding: Interceptor {
        let name: HTTPField.Name
        let user: Watched<String>

        nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var request = request
            request.headers[name] = user.value
            return try await chain.proceed(request)
        }
    }

    @Test func cacheStatusSaysThatTheCallerIsPartOfTheKey() async throws {
        let client = client(counting()), field = try #require(HTTPField.Name("Cache-Status"))
        #expect(try await get(client, "X-User-Id", "ann").headers[field] == "tarmac; fwd=uri-miss; stored; detail=caller-fields")
        await client.shutdown()
    }
}
