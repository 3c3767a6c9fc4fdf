import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacFormats

@Suite("Body formats", .timeLimit(.minutes(5)))
struct BodyFormatTests {
    private static let lines = BodyFormat(name: "lines") { value throws(TarmacError) in
        guard case .object(let members) = value else { return .text("one value") }
        return .text(members.map(\.name).joined(separator: "\n"))
    }

    @Test(arguments: [(BodyFormat.json, "json"), (.form, "form"), (.propertyList, "propertyList"), (lines, "lines")])
    func explainShowsTheNameOfAFormat(format: BodyFormat, name: String) {
        let explained = Client(StubTransport { _ in .status(.ok) }).explain(InlineEndpoint<Void>.post("/")) { $0.bodyFormat = format }
        #expect(explained["bodyFormat"]?.value == name)
    }

    @Test func formatsOfOneNameAreEqual() {
        #expect(Set([BodyFormat.json, .form, .propertyList, Self.lines, .json, .propertyList]).count == 4)
        #expect(Self.lines == BodyFormat(name: "lines") { _ throws(TarmacError) in .none })
        #expect(BodyFormat.json != .form)
    }

    @Test func aFormatOfARoomWritesTheParameters() throws {
        let client = Client(StubTransport { _ in .status(.ok) })
        let request = try client.request(for: .post("/", ["a": 1, "b": 2], as: Void.self)) { $0.bodyFormat = Self.lines }
        #expect(String(decoding: request.body.buffered?.array ?? [], as: UTF8.self) == "a\nb")
    }

    @Test func aFormatOfARoomWritesAWholeBody() throws {
        struct Put: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .put("/x")
            @WholeBody var number = 7
        }
        let client = Client(StubTransport { _ in .status(.ok) })
        let request = try client.request(for: Put()) { $0.bodyFormat = Self.lines }
        #expect(String(decoding: request.body.buffered?.array ?? [], as: UTF8.self) == "one value")
    }
}
