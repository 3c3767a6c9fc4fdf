import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

/// A body that its transport can hand on where it arrives.
private final class PouringStub: PouringSource {
    let reads = Locked(0)

    func next() async throws -> Bytes? {
        let count = reads.withLock { reads in
            reads += 1
            return reads
        }
        return count < 3 ? Bytes(count == 1 ? "hello, " : "tarmac") : nil
    }

    func pour(into sink: @escaping @Sendable (Bytes) throws -> Void) async throws {
        for chunk in ["hello, ", "tarmac"] { try sink(Bytes(chunk)) }
    }
}

private struct PouringTransport: Transport {
    let source: PouringStub
    let name = "pouring"
    let capabilities = TransportCapabilities.everything

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.receivedHead)
        return Response(status: .ok, body: .stream(ByteStream { source }), url: request.url)
    }

    func shutdown() async {}
}

@Suite("Downloads", .timeLimit(.minutes(5)))
struct DownloadTests {
    private func client(_ response: @escaping @Sendable () -> Response) -> Client { Client(StubTransport { _ in response() }) }

    private func pouring(_ source: PouringStub) -> Client {
        Client(transport: TransportFactory(name: "pouring") { _ in PouringTransport(source: source) }, services: [Service("s", host: "https://s.example")])
    }

    private func text(_ path: String) -> String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }

    @Test func theBodyIsInTheFileAndNothingBesides() async throws {
        try await withFolder { folder in
            let file = try await client { .chunks(["hello, ", "tarmac"]) }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(text(file.path) == "hello, tarmac")
            #expect(names(folder) == ["f"])
        }
    }

    @Test func whatAnInterceptorAnswersIsWritten() async throws {
        try await withFolder { folder in
            for (number, answer) in [Response.text("answered"), .chunks(["answ", "ered"])].enumerated() {
                let client = client { .text("from the transport, and longer") }
                try await client.send(Download(.get("/"), to: "\(folder)/\(number)")) { $0.interceptors = [Intercepting { _, _ in answer }] }
                #expect(text("\(folder)/\(number)") == "answered")
            }
        }
    }

    @Test func aBodyPutInPlaceOfTheTransportsIsWrittenAlone() async throws {
        try await withFolder { folder in
            let replacing = Intercepting { request, chain in
                var response = try await chain.proceed(request)
                response.body = .bytes(Bytes("short"))
                return response
            }
            try await client { .text("a longer body") }.send(Download(.get("/"), to: "\(folder)/f")) { $0.attemptInterceptors = [replacing] }
            #expect(text("\(folder)/f") == "short")
        }
    }

    @Test func theBodyOfAnyAcceptableStatusIsWritten() async throws {
        let page = String(repeating: "no such page. ", count: 10_000)
        try await withFolder { folder in
            let client = client { .text(page, status: .notFound) }
            let file = try await client.send(Download(.get("/"), to: "\(folder)/f")) { $0.acceptableStatus = .any }
            #expect(file.response.status == .notFound)
            #expect(text(file.path) == page)
        }
    }

    @Test func aFailureLeavesNoFileAndShowsItsBody() async throws {
        try await withFolder { folder in
            let client = client { .text("no such page", status: .notFound) }
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.response?.body == Bytes("no such page"))
            let left = names(folder)
            #expect(left == [])
        }
    }

    @Test func aNameThatCannotBeTakenLeavesNothingBehind() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/f", withIntermediateDirectories: true)
            let error = await failure { try await client { .text("hello") }.send(Download(.get("/"), to: "\(folder)/f")) }
            #expect(error?.code == .unwritableFile)
            #expect(error?.attempts == 0)
            #expect(names(folder) == ["f"])
        }
    }

    /// Through the slot, the attempt and the chain: what a transport can hand on at once waits nowhere.
    @Test func aTransportPoursStraightIntoTheFile() async throws {
        let source = PouringStub()
        try await withFolder { folder in
            let client = pouring(source)
            let file = try await client.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(text(file.path) == "hello, tarmac")
        }
        #expect(source.reads.withLock { $0 } == 0)
    }

    @Test func aFileThatCannotBeWrittenEndsThePouring() async throws {
        try await withFolder { folder in
            let client = pouring(PouringStub())
            let error = await failure { try await client.send(Download(.get("/"), to: "\(folder)/f")) { $0.download = DownloadRule { $0.maximumSize = 3 } } }
            #expect(error?.code == .bodyTooLarge)
            #expect(names(folder) == [])
        }
    }

    @Test func theFileIsItsUsersAlone() async throws {
        try await withFolder { folder in
            let file = try await client { .text("hello") }.send(Download(.get("/"), to: "\(folder)/f"))
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        }
    }
}
