import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
import TarmacFormats
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
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
        try await client.send(Upload(form(), to: PostPhoto()))
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
        try await Client(stub).send(Upload(form(), to: .post("/", parameters)))
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
        try await Client(stub).send(Upload(form(), to: .post("/1", ["title": "Sunrise"])))
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
        try await client.send(Upload(form(), to: .post("/", ["title": "Sunrise"])))
        #expect(stub.requests.first?.url.query == nil)
        #expect(sent(stub) == part("data", "sealed title app") + file)
    }

    @Test func aGetHasItsParametersInTheQuery() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await Client(stub).send(Upload(form(), to: .delete("/", ["title": "Sunrise"])))
        #expect(stub.requests.first?.url.query == "title=Sunrise")
        #expect(sent(stub) == file)
    }

    /// The form of an encoding of its own has that encoding and its settings in the parts too: names and values.
    @Test func theEncodingOfAFormHoldsBesideAFile() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let charset = ParameterCharset("GBK") { $0 == "\u{4E2D}" ? [0xD6, 0xD0] : nil }
        let client = Client(stub) { $0.bodyFormat = .form(in: charset, QueryEncoder(arrays: .brackets)) }
        try await client.send(Upload(form(), to: .post("/", ["\u{4E2D}": ["a \u{4E2D}\n", "b"]])))
        func line(_ value: [UInt8]) -> [UInt8] {
            Array("--B\r\nContent-Disposition: form-data; name=\"".utf8) + [0xD6, 0xD0] + Array("[]\"\r\n\r\n".utf8) + value + [13, 10]
        }
        let parts = line(Array("a ".utf8) + [0xD6, 0xD0, 13, 10]) + line([98])
        #expect(stub.requests.first?.body.buffered?.array == parts + Array(file.utf8))
        #expect(stub.requests.first?.body.length == Int64(parts.count + file.utf8.count))
        let error = await failure { try await client.send(Upload(form(), to: .post("/", ["a": "\u{E9}"]))) }
        #expect(error?.code == .invalidParameter && error?.reason.contains("GBK") == true)
    }

    // MARK: What has no place

    private func isRefused(_ name: String, _ call: (Client) async throws -> Void) async -> Bool {
        let stub = StubTransport { _ in .status(.noContent) }
        let error = await failure { try await call(Client(stub)) }
        return error?.code == .invalidParameter && error?.reason.contains(name) == true && error?.suggestion != nil && stub.requests.isEmpty
    }

    @Test func whatHasNoPlaceIsAnErrorThatNamesIt() async throws {
        let form = try form(), text = Body.text("x"), source = UploadSource.data(Data("x".utf8), name: "f")
        #expect(await isRefused("order") { try await $0.send(Upload(form, to: PutWhole())) })
        #expect(await isRefused("order") { try await $0.send(Upload(text, to: PutWhole())) })
        #expect(await isRefused("title") { try await $0.send(Upload(text, to: PutField())) })
        #expect(await isRefused("title") { try await $0.send(Upload(.none, to: PutField())) })
        #expect(await isRefused("title") { try await $0.send(OwnBody()) })
        #expect(await isRefused("title") { try await $0.send(Upload(source, to: PutField(), by: .tus)) })
        #expect(await isRefused("order") { try await $0.send(Upload(source, to: PutWhole(), by: .ietf)) })
    }

    // MARK: Secrets

    private struct PutSecret: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/secret")
        var page = 1
        @Secret var pin = "hush"
    }

    private struct PutNested: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/nested")
        var card = Card()
        struct Card: Encodable { @Secret var code = "hush" }
    }

    private struct OwnBodyAndSecret: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/own")
        @Secret var pin = "hush"
        func body() throws -> Body? { .text("own") }
    }

    private struct PlacedSecrets: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/placed/{door}")
        @Secret var door = "1"
        @Query @Secret var pin = "2"
        @Header("X-Pin") @Secret var own = "3"
    }

    private struct Signing: ParameterTransform {
        func transform(_ parameters: ParameterList, for target: ParameterTarget) throws -> ParameterList {
            var list = parameters
            list.append(Parameter("sign", "s", isSecret: true))
            return list
        }
    }

    /// A secret without a place of its own never goes into the query in place of the body.
    @Test func aSecretBesideABodyOfTheCallsOwnIsAnErrorThatNamesIt() async throws {
        let text = Body.text("x"), source = UploadSource.data(Data("x".utf8), name: "f")
        #expect(await isRefused("pin") { try await $0.send(Upload(text, to: PutSecret())) })
        #expect(await isRefused("pin") { try await $0.send(Upload(.none, to: PutSecret())) })
        #expect(await isRefused("pin") { try await $0.send(Upload(.bytes(Bytes("x"), contentType: "video/mp4"), to: PutSecret())) })
        #expect(await isRefused("pin") { try await $0.send(OwnBodyAndSecret()) })
        #expect(await isRefused("pin") { try await $0.send(Upload(source, to: PutSecret(), by: .tus)) })
        #expect(await isRefused("pin") { try await $0.send(Upload(source, to: PutSecret(), by: .ietf)) })
        #expect(await isRefused("pin") { try await $0.send(Upload(text, to: .delete("/", ParameterList([Parameter("pin", "hush", isSecret: true)])))) })
        #expect(await isRefused("card") { try await $0.send(Upload(text, to: PutNested())) })
        #expect(await isRefused("pin") { try await $0.send(Upload(text, to: .put("/", ParameterList([Parameter("pin", "hush", isSecret: true)])))) })
    }

    @Test func aSecretWithAPlaceIsSentThere() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = Client(stub)
        try await client.send(Upload(.text("x"), to: PlacedSecrets()))
        #expect(stub.requests.first?.url.requestTarget == "/placed/1?pin=2")
        #expect(stub.requests.first?.headers[HTTPField.Name("X-Pin")!] == "3")
        try await client.send(PutSecret())
        #expect(stub.requests.last?.url.query == nil && sent(stub, 1) == #"{"page":1,"pin":"hush"}"#)
        // A signature is made to be read.
        try await client.send(Upload(.text("x"), to: .put("/", ["a": 1]))) { $0.parameterTransforms = [Signing()] }
        #expect(stub.requests.last?.url.query == "a=1&sign=s")
    }
}
