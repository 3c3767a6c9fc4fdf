import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacFormats

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private struct Manifest: Codable, Equatable, Sendable {
    var title: String
    var size: Int
    var date: Date
}

private struct GetManifest: Endpoint {
    typealias Value = Manifest
    static let route: Route = .get("/manifest")
    func configure(_ options: inout Options) { options.decoder = .propertyList() }
}

/// YTK-7, YTK-8: other serializers than JSON.
@Suite("Property lists", .timeLimit(.minutes(5)))
struct PropertyListTests {
    private static let manifest = Manifest(title: "Ä & b", size: 7, date: Date(timeIntervalSince1970: 86_400))

    private func answer(_ format: PropertyListDecoder.PropertyListFormat, type: String?) throws -> Response {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        var response = Response(status: .ok, body: .bytes(Bytes(try encoder.encode(Self.manifest))), url: try HTTPURL("https://s.example/"))
        if let type { response.headers[.contentType] = type }
        return response
    }

    @Test(arguments: [PropertyListDecoder.PropertyListFormat.xml, .binary], ["application/x-plist", "application/xml", "text/xml; charset=utf-8"])
    func anAnswerIsDecoded(format: PropertyListDecoder.PropertyListFormat, type: String) async throws {
        let response = try answer(format, type: type)
        #expect(try await Client(StubTransport { _ in response }).send(GetManifest()) == Self.manifest)
    }

    @Test(arguments: ["application/json", "text/html", "application/octet-stream"])
    func anotherTypeIsRefused(type: String) async throws {
        let response = try answer(.xml, type: type)
        let client = Client(StubTransport { _ in response })
        #expect(await failure { _ = try await client.send(GetManifest()) }?.code == .unacceptableContentType)
        #expect(try await client.send(GetManifest()) { $0.acceptableContentTypes = .any } == Self.manifest)
    }

    @Test func aJSONEnvelopeAndAShapeAreSkipped() async throws {
        let response = try answer(.binary, type: "application/x-plist")
        let client = Client(StubTransport { _ in response }) {
            $0.envelope = Envelope(success: { $0["ok"] == true }, payload: "data")
            $0.shape = .object(["title": .string])
        }
        #expect(try await client.send(GetManifest()) == Self.manifest)
    }

    @Test func aBrokenListIsAnErrorWithTheAnswer() async throws {
        let client = Client(StubTransport { _ in .text("<plist", headers: [.contentType: "application/x-plist"]) })
        let error = await failure { _ = try await client.send(GetManifest()) }
        #expect(error?.code == .decodingFailed && error?.response?.body.count == 6)
    }

    // MARK: Requests

    private struct Put: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .put("/x")
        var name = "Ann"
        var age = 7
        var note: String? = nil
        var born = Date(timeIntervalSince1970: 86_400)
        var raw = Data([1, 2])
        var tags = ["a", "b"]
        var inner: [String: Int?] = ["x": nil, "y": 1]
    }

    private func body(_ request: Request) throws -> Data {
        guard case .bytes(let bytes) = request.body.content else { throw Foreign() }
        return bytes.data
    }

    @Test func parametersBecomeAList() throws {
        struct Read: Decodable, Equatable {
            var name: String
            var age: Int
            var note: String?
            var born: Date
            var raw: Data
            var tags: [String]
            var inner: [String: Int]
        }
        let request = try Client(StubTransport { _ in .status(.ok) }).request(for: Put()) { $0.bodyFormat = .propertyList }
        #expect(request.headers[.contentType] == "application/x-plist")
        let read = try PropertyListDecoder().decode(Read.self, from: try body(request))
        #expect(read.name == "Ann" && read.age == 7 && read.note == nil && read.tags == ["a", "b"] && read.inner == ["y": 1])
        #expect(read.born == Date(timeIntervalSince1970: 86_400) && read.raw == Data([1, 2]))
    }

    @Test func aNullInAnArrayIsRefusedAndNamed() async {
        let client = Client(StubTransport { _ in .status(.ok) })
        let error = await failure {
            _ = try client.request(for: .post("/", ["list": [1, nil, 3] as [Int?]], as: Void.self)) { $0.bodyFormat = .propertyList }
        }
        #expect(error?.code == .invalidParameter && error?.path == "list")
    }

    @Test func aModelBecomesABody() throws {
        let body = try Body.propertyList(Self.manifest, format: .binary)
        #expect(body.contentType == "application/x-plist" && body.isReplayable)
        guard case .bytes(let bytes) = body.content else { throw Foreign() }
        #expect(bytes.data.starts(with: Data("bplist00".utf8)))
        #expect(try PropertyListDecoder().decode(Manifest.self, from: bytes.data) == Self.manifest)
    }

    @Test func whatIsNoListIsRefused() {
        struct Refusing: Encodable { func encode(to encoder: any Encoder) throws { throw Foreign(number: 4) } }
        let error = #expect(throws: TarmacError.self) { try Body.propertyList(Refusing()) }
        #expect(error?.code == .invalidParameter && error?.cause != nil)
        #expect(error?.description.contains("hunter2") == false)
    }
}
