import HTTPTypes
import Tarmac
@testable import TarmacURLSession
import Testing

@Suite struct RequestFieldsTests {
    static let suppressed = ["Accept": " ", "Content-Type": " "]

    private func fields(_ headers: HTTPFields, body: Body = .none) throws -> [String: String] {
        let request = Request(.post, try HTTPURL("http://a.example/"), headers: headers, body: body)
        return RequestFields.dictionary(for: request, suppressed: Self.suppressed)
    }

    @Test func givenFieldTakesThePlaceOfASuppressedOne() throws {
        #expect(try fields([HTTPField.Name("accept")!: "a/b"]) == ["Accept": "a/b", "Content-Type": " "])
    }

    @Test func repeatedFieldsAreJoined() throws {
        var headers = HTTPFields()
        for value in ["a", "b"] { headers.append(HTTPField(name: .accept, value: value)) }
        for value in ["c=1", "d=2"] { headers.append(HTTPField(name: .cookie, value: value)) }
        let fields = try fields(headers)
        #expect(fields["Accept"] == "a, b")
        #expect(fields["Cookie"] == "c=1; d=2")
    }

    @Test func bodyNamesItsTypeUnlessTheHeaderDoes() throws {
        #expect(try fields([:], body: .text("x"))["Content-Type"] == "text/plain; charset=utf-8")
        #expect(try fields([.contentType: "a/b"], body: .text("x"))["Content-Type"] == "a/b")
        #expect(try fields([:])["Content-Type"] == " ")
    }

    @Test(arguments: ["Host", "content-length", "Transfer-Encoding", "Connection"])
    func fieldOfTheTransportIsRefused(name: String) throws {
        let request = Request(.get, try HTTPURL("http://a.example/"), headers: [HTTPField.Name(name)!: "1"])
        #expect(RequestRefusal.check(request)?.code == .unsupported)
    }
}
