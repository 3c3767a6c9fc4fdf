#if Tools
import Tarmac
import Testing

@testable import TarmacCLI

@Suite struct ArgumentTests {
    @Test(
        arguments: [
            ("name=ann", "name", "ann"), ("a=b=c", "a", "b=c"), ("empty=", "empty", ""), ("n:=7", "n", 7),
            ("big:=18446744073709551615", "big", .uint(.max)), ("yes:=true", "yes", true), ("none:=null", "none", .null),
            ("list:=[1,\"x\"]", "list", [1, "x"]), ("o:={\"b\":1,\"a\":2}", "o", ["b": 1, "a": 2]), ("a:b=c", "a:b", "c"),
        ] as [(String, String, ParameterValue)])
    func fieldsAreTextOrJSON(_ text: String, _ name: String, _ value: ParameterValue) throws {
        #expect(try FieldArgument.field(text) == Parameter(name, value))
    }

    @Test func decimalsStayWhatTheyAre() throws {
        guard case .decimal(let decimal) = try FieldArgument.field("price:=0.10").value else {
            Issue.record("not a decimal")
            return
        }
        #expect("\(decimal)" == "0.1")
    }

    @Test(arguments: ["name", "=x", ":=1", "", "secret:=hunter2"])
    func malformedFieldsAreRefusedWithoutTheirValue(_ text: String) {
        let error = #expect(throws: TarmacError.self) { try FieldArgument.field(text) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.suggestion != nil)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func queryItemsGoToTheQuery() throws {
        #expect(try FieldArgument.query("a:=1") == Parameter("a:", "1", placement: .query))
    }

    @Test func headersAreSetRepeatedEmptiedAndRemoved() throws {
        var headers = HeaderSettings()
        try HeaderArgument.apply(["X-A: 1", "X-A:2", "X-Empty;", "User-Agent:", "X-Time: 10:30"], to: &headers)
        #expect(headers["X-A"] == "1")
        #expect(headers["X-Empty"] == "")
        #expect(headers["User-Agent"] == nil)
        #expect(headers["X-Time"] == "10:30")
    }

    @Test(arguments: ["NoColon", ": value", "Bad Name: x", "X: a\r\nY: b", ";", ""])
    func malformedHeadersAreRefused(_ text: String) {
        var headers = HeaderSettings()
        let error = #expect(throws: TarmacError.self) { try HeaderArgument.apply([text], to: &headers) }
        #expect(error?.code == .invalidHeader)
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x"), ("a.example/x?y=1", "https://a.example/x?y=1"),
        (":8080/users", "http://localhost:8080/users"), ("localhost:1", "http://localhost:1/"), ("127.0.0.1:80/x", "http://127.0.0.1/x"),
        ("[::1]:8080/x", "http://[::1]:8080/x"), ("/users", "http://localhost/users"), ("localhost.example", "https://localhost.example/"),
        ("api.localhost:3000", "http://api.localhost:3000/"),
    ])
    func urlsNeedNoScheme(_ text: String, _ url: String) throws {
        #expect(try URLArgument.url(text).string == url)
    }

    @Test(arguments: ["ftp://a.example", "https://", "", "a b", "https://u:p@a.example"])
    func malformedURLsAreRefused(_ text: String) {
        let error = #expect(throws: TarmacError.self) { try URLArgument.url(text) }
        #expect(error?.code == .invalidURL)
    }

    @Test(arguments: [
        ("@body.json", DataArgument.file("body.json")), ("-", .standardInput), ("@-", .standardInput), ("text", .text("text")), ("", .text("")),
    ])
    func dataIsAFileStandardInputOrText(_ argument: String, _ expected: DataArgument) {
        #expect(DataArgument(argument) == expected)
    }

    @Test(arguments: [
        ("{\"a\":1}", "application/json"), (" [1]", "application/json"), ("{broken", "text/plain; charset=utf-8"), ("7", "text/plain; charset=utf-8"),
    ])
    func textThatIsJSONIsSentAsJSON(_ text: String, _ type: String) throws {
        #expect(try DataArgument.text(text).body().contentType == type)
    }

    @Test(arguments: [
        ("a/b.JSON", "application/json"), ("x.tar.gz", "application/gzip"), ("json", "application/octet-stream"), ("a.b/c", "application/octet-stream"),
    ])
    func filesAreSentAsWhatTheirNamesSay(_ path: String, _ type: String) {
        #expect(DataArgument.type(ofFile: path) == type)
    }

    @Test func aMissingFileIsRefused() {
        let error = #expect(throws: TarmacError.self) { try DataArgument.file("/nowhere/at/all").body() }
        #expect(error?.code == .unreadableFile)
    }
}
#endif
