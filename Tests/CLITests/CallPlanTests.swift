#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
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

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete, .options])
    func formIsRefusedWhereFieldsAreTheQuery(_ method: HTTPRequest.Method) {
        let error = #expect(throws: TarmacError.self) { try plan(method, ":1/x", "a=1", "--form") }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains(method.rawValue) == true)
    }

    @Test func outputIntoNowhereIsRefused() {
        let error = #expect(throws: TarmacError.self) { try plan(.get, ":1/x", "--output", "/no/such/folder/x") }
        #expect(error.map { ExitStatus($0) } == .refusedInput)
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

    // MARK: What is printed in place of sending

    @Test(
        arguments: [
            (.get, [], "curl --location"), (.head, [], "curl --head --location"), (.post, ["a=1"], "curl --location"),
            (.post, [], "curl --location"), (.put, ["a=1"], "curl --request PUT --location"),
            (.delete, [], "curl --request DELETE --location"), (.get, ["--data", "x"], "curl --request GET --location"),
            (.get, ["--insecure"], "curl --location --insecure"), (.get, ["--timeout", "5"], "curl --location --max-time 5"),
            (.get, ["--timeout", "2.5", "--include"], "curl --location --max-time 2.5 --include"),
            (.get, ["--cacert", "my roots.pem"], "curl --location --cacert 'my roots.pem'"), (.get, ["--output", "x.json"], "curl --location --output x.json"),
            (.get, ["--output", "~x"], "curl --location --output '~x'"), (.get, ["--output", "-"], "curl --location --output -"),
        ] as [(HTTPRequest.Method, [String], String)])
    func curlDoesWhatTheCallWouldDo(_ method: HTTPRequest.Method, _ more: [String], _ beginning: String) throws {
        let arguments = try CallArguments.parse([":1/x"] + more)
        let command = CurlPrinter().command(for: try request(CallPlan(method, arguments)), options: CurlOptions.words(arguments))
        let oneLine = command.replacingOccurrences(of: " \\\n  ", with: " ")
        #expect(oneLine.hasPrefix("\(beginning) --header"))
        #expect(oneLine.hasSuffix(" http://localhost:1/x"))
    }

    @Test func explainLeavesOutWhatNobodySaid() throws {
        let client = Client(transport: .stub { _ in .json("{}") })
        let bare = ExplanationText.text(client.explain(try plan(.get, ":1/x").endpoint))
        #expect(!bare.contains("headers"))
        #expect(!bare.contains("QueryEncoder"))
        #expect(bare.contains("\n  query standard ← default"))
        let said = ExplanationText.text(client.explain(try plan(.get, ":1/x", "-H", "X-A: 1").endpoint))
        #expect(said.contains("\n  headers X-A ← endpoint tarmac get"))
    }

    @Test(
        arguments: [
            (QueryEncoder(), "standard"), (QueryEncoder(arrays: .brackets, nils: .keyOnly), "arrays brackets, nils keyOnly"),
            (QueryEncoder(dates: .custom { _ in 1 }, plusForSpaces: true), "dates custom, plusForSpaces"),
        ] as [(QueryEncoder, String)])
    func aQueryEncoderSaysWhatIsNotStandard(_ encoder: QueryEncoder, _ text: String) {
        #expect("\(encoder)" == text)
    }

    @Test func timeoutHelpSaysWhatHoldsWithoutIt() {
        #expect(!CallArguments.helpMessage().contains("default: 60"))
    }

    @Test(arguments: [
        ("tarmac", "tarmac"), (".build/debug/tarmac", ".build/debug/tarmac"), ("/src/.build/debug/tarmac", ".build/debug/tarmac"),
        ("/src/tarmac", "./tarmac"), ("/srctarmac", "/srctarmac"), ("/opt/my tools/tarmac", "'/opt/my tools/tarmac'"), ("", "tarmac"),
    ])
    func adviceNamesThisProgramAsItWasStarted(_ program: String, _ shown: String) {
        #expect(Invocation.shown(program, from: "/src") == shown)
    }

    @Test func insecureIsLoud() throws {
        let plan = try plan(.get, "https://a.example", "--insecure")
        #expect(plan.endpoint.connection.trust == .insecureAcceptAnyCertificate)
        #expect(plan.warnings.first?.contains("https://a.example") == true)
        #expect(try self.plan(.get, "https://a.example").warnings.isEmpty)
    }

    @Test func plainHTTPToAnotherMachineIsSentAndIsLoud() throws {
        let plan = try plan(.get, "http://a.example/x")
        #expect(plan.warnings.count == 1 && plan.warnings.first?.contains("http://a.example") == true)
        #expect(try request(plan).url.string == "http://a.example/x")
        #expect(CurlPrinter().command(for: try request(plan)).contains("http://a.example/x"))
    }

    @Test(arguments: [":1/x", "127.0.0.1:1", "http://[::1]:1/", "https://a.example"])
    func whatIsProtectedOrStaysHereSaysNothing(_ url: String) throws {
        let plan = try plan(.get, url)
        #expect(plan.warnings.isEmpty)
        #expect(plan.endpoint.options.allowsInsecureHTTP == nil)
    }

    @Test func bothWarningsAreGiven() throws {
        #expect(try plan(.get, "http://a.example", "--insecure").warnings.count == 2)
    }

    @Test func aRootIsTrustedBesidesTheSystems() throws {
        #expect(try plan(.get, ":1", "--cacert", "root.pem").endpoint.connection.trust == .systemAnd(pemFile: "root.pem"))
    }
}
#endif
