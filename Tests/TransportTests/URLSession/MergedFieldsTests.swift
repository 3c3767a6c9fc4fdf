import HTTPTypes
@testable import TarmacURLSession
import Testing

@Suite struct MergedFieldsTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=1,b=2", ["a=1", "b=2"]),
        ("a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/", ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/"]),
        (
            "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT, b=2; Expires=Thu, 22-Oct-26 07:28:00 GMT, __Host-c=3",
            ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2; Expires=Thu, 22-Oct-26 07:28:00 GMT", "__Host-c=3"]
        ),
        ("a=x,y,z, b=", ["a=x,y,z", "b="]),
        ("a=\"x, y\"", ["a=\"x, y\""]),
        ("", [""]),
        (",", [","]),
    ])
    func cookiesArePartedAtTheirNames(merged: String, cookies: [String]) {
        #expect(MergedFields.setCookies(in: merged) == cookies)
    }

    @Test func otherFieldsStayJoined() {
        let fields = MergedFields.fields(from: [(name: "Vary", value: "a, b=1"), (name: "set-cookie", value: "a=1, b=2")])
        #expect(fields[values: .vary] == ["a, b=1"])
        #expect(fields[values: .setCookie] == ["a=1", "b=2"])
    }

    @Test func nameThatIsNoTokenIsLeftOut() {
        #expect(MergedFields.fields(from: [(name: "a b", value: "1")]).isEmpty)
    }

    @Test(arguments: [("5", "5"), ("5, 5", "5"), ("5,5,5", "5"), ("5, 6", "5, 6")])
    func repeatedLengthCountsOnce(merged: String, length: String) {
        #expect(MergedFields.fields(from: [(name: "Content-Length", value: merged)])[.contentLength] == length)
    }
}
