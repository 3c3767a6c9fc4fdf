import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
import TarmacResumableUpload

/// The parameters of a call with a multipart form are parts of it. Parameters that have no place are an error.
@Suite("Parameters beside files")
struct FormPartTests {
    private struct PostPhoto: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/albums/{album}/photos")
        var album = "2026"
        var title = "Sunrise & sea"
        var tags = ["a", "b"]
        var place: [String: String] = ["country": "NO"]
        var draft = true
        var note: String?
        @Secret var pin = "hush"
        @Field("when") var taken = Date(timeIntervalSince1970: 0)
        @Query var page = 2
        @Header("X-Kind") var kind = "photo"
    }

    private struct PutWhole: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/whole")
        @WholeBody var order = ["a": 1]
    }

    private struct PutField: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/field")
        @Field var title = "Sunrise"
    }

    private struct OwnBody: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/own")
        @Field var title = "Sunrise"
        func body() throws -> Body? { .text("own") }
    }

    private struct Sealing: ParameterTransform {
        func transform(_ parameters: ParameterList, for target: ParameterTarget) throws -> ParameterList {
            ParameterList([Parameter("data", .string("sealed \(parameters.map(\.name).joined(separator: " "))"))])
        }
    }

    private func sent(_ stub: StubTransport, _ index: Int = 0) -> String {
        stub.requests[index].body.buffered.map { String(decoding: $0.array, as: UTF8.self) } ?? "nothing"
    }

    private func part(_ name: String, _ value: String) -> String { "--B\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n" }
    private let file = "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"1.jpg\"\r\nContent-Type: image/jpeg\r\n\r\nJPEG\r\n--B--\r\n"
    private func form() throws -> Body { try .multipart([.data("photo", Data("JPEG".utf8), fileName: "1.jpg")], boundary: "B") }

    // W8, QSP-12, YTK constructingBodyWithBlock
    @Test func fieldsBecomePartsBeforeTheFiles() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(stub)
        try await client.upload(form(), to: PostPhoto())
        let request = try #require(stub.requests.first)
        #expect(request.url.requestTarget == "/albums/2026/photos?page=2")
        #expect(request.headers[HTTPField.Name("X-Kind")!] == "photo")
        #expect(request.headers[.contentType] == "multipart/form-data; boundary=B")
        let fields = [
            ("title", "Sunrise & sea"), ("tags", "a"), ("tags", "b"), ("place[country]", "NO"), ("draft", "true"), ("pin", "hush"),
            ("when", "1970-01-01T00:00:00Z"),
        ]
        #expect(sent(stub) == fields.map { part($0, $1) }.joined() + file)
        #expect(request.body.length == Int64(sent(stub).utf8.count))
    }

    @Test func namesAndValuesAreThoseThatWereGiven() async throws {
        let stub = StubTransport { _ in .status(.noContent) }, odd = "a=b&c%20+d\u{E9} \"q\" 日本"
        let parameters = ParameterList([Parameter("a&b=c+ %", .string(odd)), Parameter("empty", "")])
        try await Client(stub).upload(form(), to: .post("/", parameters))
        #expect(stub.requests.first?.url.query == nil)
        #expect(sent(stub) == part("a&b=c+ %", odd) + part("empty", "") + file)
    }

    @Test func aFormWithFieldsCanBeSentAgain() async throws {
        let isFirst = Locked(true)
        let stub = StubTransport { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .redirect(to: "/2", status: .temporaryRedirect) : .status(.noContent)
            }
        }
        try await Client(stub).upload(form(), to: .post("/1", ["title": "Sunrise"]))
        #expect(stub.requests.count == 2)
        #expect(sent(stub, 0) == sent(stub, 1))
        #expect(sent(stub, 1) == part("title", "Sunrise") + file)
    }

    @Test func commonParametersAndTransformsReachTheForm() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.parameters = ["app": "tarmac"]
            $0.parameterTransforms = [Sealing()]
        }
        try await client.upload(form(), to: .post("/", ["title": "Sunrise"]))
        #expect(stub.requests.first?.url.query == nil)
        #expect(sent(stub) == part("data", "sealed title app") + file)
    }

    @Test func aGetHasItsParametersInTheQuery() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await Client(stub).upload(form(), to: .delete("/", ["title": "Sunrise"]))
        #expect(stub.requests.first?.url.query == "title=Sunrise")
        #expect(sent(stub) == file)
    }

    // MARK: What has no place

    private func isRefused(_ name: String, _ call: (Client) async throws -> Void) async -> Bool {
        let stub = StubTransport { _ in .status(.noContent) }
        let error = await failure { try await call(Client(stub)) }
        return error?.code == .invalidParameter && error?.reason.contains(name) == true && error?.suggestion != nil && stub.requests.isEmpty
    }

    @Test func whatHasNoPlaceIsAnErrorThatNamesIt() async throws {
        let form = try form(), text = Body.text("x"), source = UploadSource.data(Data("x".utf8), name: "f")
        #expect(await isRefused("order") { try await $0.upload(form, to: PutWhole()) })
        #expect(await isRefused("order") { try await $0.upload(text, to: PutWhole()) })
        #expect(await isRefused("title") { try await $0.upload(text, to: PutField()) })
        #expect(await isRefused("title") { try await $0.upload(.none, to: PutField()) })
        #expect(await isRefused("title") { try await $0.send(OwnBody()) })
        #expect(await isRefused("title") { try await $0.upload(source, to: PutField(), by: .tus) })
        #expect(await isRefused("order") { try await $0.upload(source, to: PutWhole(), by: .ietf) })
    }
}
