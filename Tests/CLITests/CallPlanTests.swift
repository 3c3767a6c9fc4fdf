#if Tools
import ArgumentParser
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCLI

@Suite struct CallPlanTests {
    private func plan(_ method: HTTPRequest.Method = .post, _ arguments: String...) throws -> CallPlan {
        try CallPlan(method, CallArguments.parse(arguments))
    }

    private func request(_ plan: CallPlan) throws -> Request {
        try Client(transport: .stub { _ in .json("{}") }).request(for: plan.endpoint)
    }

    private func body(_ request: Request) -> String? {
        guard case .bytes(let bytes) = request.body.content else { return nil }
        return String(decoding: bytes.array, as: UTF8.self)
    }

    @Test func fieldsMakeTheJSONBody() throws {
        let request = try request(plan(.post, ":1/x", "name=ann", "age:=7", "-q", "page=2", "-q", "page=3"))
        #expect(request.url.string == "http://localhost:1/x?page=2&page=3")
        #expect(body(request) == #"{"name":"ann","age":7}"#)
        #expect(request.headers[.contentType] == "application/json")
    }

    @Test func fieldsOfAGetMakeTheQuery() throws {
        let request = try request(plan(.get, ":1/x?a=1", "b=2"))
        #expect(request.url.string == "http://localhost:1/x?a=1&b=2")
        #expect(request.body.isNone)
    }

    @Test func formMakesAForm() throws {
        let request = try request(plan(.post, ":1/x", "a=1 2", "--form"))
        #expect(body(request)?.hasPrefix("a=1") == true)
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func dataIsTheWholeBody() throws {
        let request = try request(plan(.put, ":1/x", "--data", "hello", "-H", "Content-Type: text/markdown"))
        #expect(body(request) == "hello")
        #expect(request.headers[.contentType] == "text/markdown")
    }

    @Test func bracesInAURLAreNoTemplate() throws {
        #expect(try request(plan(.get, ":1/{id}")).url.path == "/%7Bid%7D")
    }

    @Test(arguments: [["--data", "x", "a=1"], ["--data", "x", "--form"], ["--insecure", "--cacert", "x.pem"]])
    func contradictionsAreRefused(_ more: [String]) throws {
        let arguments = try CallArguments.parse([":1/x"] + more)
        let error = #expect(throws: TarmacError.self) { try CallPlan(.post, arguments) }
        #expect(error?.code == .invalidOption)
        #expect(error?.suggestion != nil)
    }

    @Test(arguments: ["0", "-1", "nan", "inf"])
    func aTimeoutThatCannotBeIsRefusedBeforeSending(_ timeout: String) throws {
        let plan = try CallPlan(.get, CallArguments.parse([":1/x", "--timeout=\(timeout)"]))
        let error = #expect(throws: TarmacError.self) { try request(plan) }
        #expect(error?.code == .invalidOption)
    }

    @Test func aTimeoutHoldsForTheWholeCall() throws {
        let plan = try plan(.get, ":1/x", "--timeout", "2.5")
        let explanation = Client(transport: .stub { _ in .json("{}") }).explain(plan.endpoint)
        #expect(explanation["timeout"]?.value == "2.5 s")
        #expect(explanation["deadline"]?.value == "2.5 s")
    }

    @Test func insecureIsLoud() throws {
        let plan = try plan(.get, "https://a.example", "--insecure")
        #expect(plan.endpoint.connection.trust == .insecureAcceptAnyCertificate)
        #expect(plan.warnings.first?.contains("https://a.example") == true)
        #expect(try self.plan(.get, "https://a.example").warnings.isEmpty)
    }

    @Test func aRootIsTrustedBesidesTheSystems() throws {
        #expect(try plan(.get, ":1", "--cacert", "root.pem").endpoint.connection.trust == .systemAnd(pemFile: "root.pem"))
    }
}
#endif
