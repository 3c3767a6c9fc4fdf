import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

private struct Versioned: URLFilter {
    func filter(_ url: HTTPURL, for request: ParameterTarget) throws -> HTTPURL { url.adding(query: "v", "3&2") }
}

/// YTK-2, YTK-27, YTK-B17.
@Suite("URL filters", .timeLimit(.minutes(5)))
struct URLFilterTests {
    private let service = Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example"))

    private func url(_ route: String, _ filters: [any URLFilter], method: HTTPRequest.Method = .get) throws -> HTTPURL {
        let client = Client(transport: .stub { _ in .json("{}") }, services: [service]) { $0.urlFilters = filters }
        let endpoint = InlineEndpoint(method == .get ? .get(route) : .post(route), ["a": 1], landing: .json)
        return try client.request(for: endpoint).url
    }

    @Test func theyRunInOrderBehindTheParameters() throws {
        let sharded = ClosureURLFilter { url, target in try url.with(path: "/\(target.method)/shard 1" + url.path) }
        #expect(try url("/x", [Versioned(), sharded]).string == "https://s.example/GET/shard%201/x?a=1&v=3%262")
        #expect(try url("/x", [.filter { url, _ in url.adding(query: "k", "") }], method: .post).string == "https://s.example/x?k=")
    }

    @Test func layersAppend() throws {
        let service = Service("s", host: "https://s.example") { $0.urlFilters = [.filter { url, _ in url.adding(query: "n", "service") }] }
        let client = Client(transport: .stub { _ in .json("{}") }, services: [service]) {
            $0.urlFilters = [.filter { url, _ in url.adding(query: "n", "client") }]
        }
        #expect(try client.request(for: .get("/", as: JSON.self)).url.query == "n=client&n=service")
    }

    @Test func absoluteURLsOfTheServiceAreFilteredAndThoseOfStrangersAreNot() throws {
        #expect(try url("https://cdn.example/x", [Versioned()]).query == "a=1&v=3%262")
        #expect(try url("https://other.example/x", [Versioned()]).query == "a=1")
    }

    @Test func aFilterMayChangeTheHostWithinTheService() throws {
        let toCDN = ClosureURLFilter { url, _ in try HTTPURL("https://cdn.example" + url.requestTarget) }
        #expect(try url("/x", [toCDN]).string == "https://cdn.example/x?a=1")
    }

    @Test func aFilterThatLeavesTheServiceIsRefusedAndNamed() {
        let away = ClosureURLFilter { _, _ in try HTTPURL("https://evil.example/") }
        let error = #expect(throws: TarmacError.self) { try url("/x", [away]) }
        #expect(error?.code == .invalidURL)
        #expect(error?.reason.contains("ClosureURLFilter") == true && error?.reason.contains("evil.example") == true)
    }

    @Test func whatAFilterThrowsIsTheCause() {
        let error = #expect(throws: TarmacError.self) { try url("/x", [.filter { _, _ in throw Foreign(number: 2) }]) }
        #expect(error?.code == .callerFailed && error?.cause(as: Foreign.self) == Foreign(number: 2))
    }

    @Test func aSecretInThePathStaysHidden() throws {
        struct Reset: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/reset/{code}")
            @Secret var code = "hunter2"
        }
        for filter in [
            Versioned(), .filter { url, _ in try HTTPURL("https://s.example" + url.path) }, .filter { url, _ in try url.with(path: "/a" + url.path) },
        ]
            as [any URLFilter]
        {
            let client = Client(transport: .stub { _ in .json("{}") }, services: [service]) { $0.urlFilters = [filter] }
            let request = try client.request(for: Reset())
            #expect(request.url.path.contains("hunter2") && !request.url.description.contains("hunter2"))
        }
    }

    @Test(arguments: ["/a?b", "/a#b", "/a\nb", "/%x"])
    func aPathThatIsNoneIsRefused(path: String) throws {
        let url = try HTTPURL("https://s.example/")
        #expect(throws: TarmacError.self) { try url.with(path: path) }
    }
}
