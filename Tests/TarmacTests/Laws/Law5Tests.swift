import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Law 5: a body states its length, and nothing is done twice", .timeLimit(.minutes(5)))
struct Law5Tests {
    private static func stream(_ text: String) -> ByteStream {
        ByteStream(
            AsyncStream<Bytes> {
                $0.yield(Bytes(text))
                $0.finish()
            })
    }

    @Test func everyKindOfBodyStatesItsLengthAndWhetherItCanBeReplayed() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UInt64.random(in: .min ... .max))").path
        try Data("12345".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let rows: [(Body, Int64?, Bool)] = [
            (.none, 0, true), (.text("é"), 2, true), (.bytes(Bytes("abc")), 3, true), (.data(Data([1])), 1, true),
            (try .file(path), 5, true), (.stream(Self.stream("ab")), nil, false), (.stream(Self.stream("ab"), length: 2), 2, false),
            (.stream(Self.stream("ab"), isReplayable: true), nil, true),
        ]
        for (body, length, isReplayable) in rows {
            #expect(body.length == length, "\(body)")
            #expect(body.isReplayable == isReplayable, "\(body)")
        }
    }

    @Test func whatParametersBecomeStatesItsLengthToo() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(stub)
        try await client.post("/json", ["a": 1])
        try await client.send(InlineEndpoint<Void>.post("/form", ["a": "é"])) { $0.bodyFormat = .form }
        #expect(stub.requests.map(\.body.length) == [7, 8])
        #expect(stub.requests.allSatisfy { $0.body.isReplayable })
    }

    @Test(arguments: [307, 308])
    func aBodyThatCanBeReadOnceIsNotSentToASecondPlace(status: Int) async throws {
        let stub = StubTransport { _ in .redirect(to: "/next", status: .init(code: status)) }
        let error = await failure { try await Client(stub).post("/", body: .stream(Self.stream("once"))) }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.attempts == 1)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [307, 308])
    func aBodyThatCanBeReplayedArrivesWholeAtTheSecondPlace(status: Int) async throws {
        let stub = StubTransport { $0.url.path == "/" ? .redirect(to: "/next", status: .init(code: status)) : .status(.ok) }
        try await Client(stub).post("/", body: .text("twice"))
        #expect(stub.requests.map(\.method) == [.post, .post])
        for request in stub.requests {
            guard case .bytes(let bytes) = request.body.content else {
                Issue.record("no bytes")
                continue
            }
            #expect(bytes == Bytes("twice"))
        }
    }

    @Test(arguments: [
        TarmacError.Code.connectionLost, .timeout, .idleTimeout, .truncatedBody, .malformedResponse, .transportFailed, .connectionRefused,
    ])
    func aPostThatFailedIsNeverSentAgain(code: TarmacError.Code) async throws {
        let stub = StubTransport { _ in throw TarmacError(code, phase: .waiting) }
        let error = await failure { try await Client(stub).post("/orders", ["n": 1]) }
        #expect(error?.code == code)
        #expect(error?.attempts == 1)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [500, 502, 503, 429, 401, 408, 421])
    func aPostThatWasRefusedIsNotSentAgainUnasked(status: Int) async throws {
        let stub = StubTransport { _ in .status(.init(code: status)) }
        let error = await failure { try await Client(stub).post("/orders", ["n": 1]) }
        #expect(error?.code == .unacceptableStatus)
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [301, 302, 303])
    func aPostBecomesAGetAndDropsItsBody(status: Int) async throws {
        let stub = StubTransport { $0.method == .post ? .redirect(to: "/done", status: .init(code: status)) : .status(.ok) }
        try await Client(stub).post("/orders", body: .stream(Self.stream("once")))
        #expect(stub.requests.map(\.method) == [.post, .get])
        #expect(stub.requests.last?.body.isNone == true)
        #expect(stub.requests.last?.headers[.contentType] == nil)
    }
}
