#if Tools
import Foundation
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

    /// What is written is JSON's number, so the text may differ where the number does not.
    @Test(arguments: [
        ("0.1", "0.1"), ("0.10", "0.1"), ("1e2", "100"), ("1.0", "1"), ("-0", "-0"), ("0", "0"), ("-7", "-7"), ("9223372036854775808", "9223372036854775808"),
        ("1e300", "1e+300"), ("1e-300", "1e-300"), ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("100000000000000000000000000000000000000000000", "100000000000000000000000000000000000000000000"),
        ("0.10000000000000000000000000000000000000000000000000", "0.1"), ("0e99999999999999999999", "0"),
    ])
    func numbersKeepTheirValue(_ number: String, _ written: String) throws {
        let value = try FieldArgument.field("n:=\(number)").value
        #expect(String(decoding: try value.json(), as: UTF8.self) == written)
    }

    @Test(arguments: [
        "1e400", "-1e400", "1e-400", "0.12345678901234567890123456789012345678901234567891", "123456789012345678901234567890123456789012345",
        "1e99999999999999999999", "-1e-99999999999999999999", "1e999999999", "1.0000000000000000000000000000000000000001e200",
    ])
    func numbersThatCannotBeSentUnchangedAreRefused(_ number: String) {
        for text in ["e:=\(number)", "e:={\"a\":[1,\(number)]}"] {
            let error = #expect(throws: TarmacError.self) { try FieldArgument.field(text) }
            #expect(error?.code == .invalidParameter)
            #expect(error?.path == (text.contains("{") ? "e.a[1]" : "e"))
            #expect(error?.description.contains(number) == false)
        }
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
        #expect(error?.code == .invalidParameter)
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

    // MARK: Output

    @Test func outputGoesToAFileOrToStandardOutput() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(fileURLWithPath: "\(folder)/old"))
        #expect(try OutputArgument.file(nil) == nil)
        #expect(try OutputArgument.file("-") == nil)
        #expect(try OutputArgument.file("\(folder)/new") == "\(folder)/new")
        #expect(try OutputArgument.file("\(folder)/old") == "\(folder)/old")
        #expect(try OutputArgument.file("new") == "new")
    }

    @Test(arguments: ["", "/", "FOLDER", "FOLDER/", "FOLDER/none/x", "FOLDER/file/x", "/dev/null", "FOLDER/link"])
    func whatCannotBecomeAFileIsRefusedBeforeSending(_ path: String) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(fileURLWithPath: "\(folder)/file"))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "/dev/null")
        let error = #expect(throws: TarmacError.self) { try OutputArgument.file(path.replacingOccurrences(of: "FOLDER", with: folder)) }
        #expect(error?.code == .invalidOption)
        #expect(error?.suggestion != nil)
    }

    private func temporaryFolder() throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func aMissingFileIsRefused() {
        let error = #expect(throws: TarmacError.self) { try DataArgument.file("/nowhere/at/all").body() }
        #expect(error?.code == .unreadableFile)
    }
}
#endif
