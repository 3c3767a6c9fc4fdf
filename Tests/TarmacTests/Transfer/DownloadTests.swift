import Foundation
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@Suite("Downloads", .timeLimit(.minutes(5)))
struct DownloadTests {
    private func client(_ response: @escaping @Sendable () -> Response) -> Client { Client(StubTransport { _ in response() }) }

    private func text(_ path: String) -> String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }

    @Test func theBodyIsInTheFileAndNothingBesides() async throws {
        try await withFolder { folder in
            let file = try await client { .chunks(["hello, ", "tarmac"]) }.download(.get("/"), to: "\(folder)/f")
            #expect(text(file.path) == "hello, tarmac")
            #expect(names(folder) == ["f"])
        }
    }

    @Test func whatAnInterceptorAnswersIsWritten() async throws {
        try await withFolder { folder in
            for (number, answer) in [Response.text("answered"), .chunks(["answ", "ered"])].enumerated() {
                let client = client { .text("from the transport, and longer") }
                try await client.download(.get("/"), to: "\(folder)/\(number)") { $0.interceptors = [Intercepting { _, _ in answer }] }
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
            try await client { .text("a longer body") }.download(.get("/"), to: "\(folder)/f") { $0.attemptInterceptors = [replacing] }
            #expect(text("\(folder)/f") == "short")
        }
    }

    @Test func theBodyOfAnyAcceptableStatusIsWritten() async throws {
        let page = String(repeating: "no such page. ", count: 10_000)
        try await withFolder { folder in
            let client = client { .text(page, status: .notFound) }
            let file = try await client.download(.get("/"), to: "\(folder)/f") { $0.acceptableStatus = .any }
            #expect(file.response.status == .notFound)
            #expect(text(file.path) == page)
        }
    }

    @Test func aFailureLeavesNoFileAndShowsItsBody() async throws {
        try await withFolder { folder in
            let client = client { .text("no such page", status: .notFound) }
            let error = await failure { try await client.download(.get("/"), to: "\(folder)/f") }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.response?.body == Bytes("no such page"))
            let left = names(folder)
            #expect(left == [])
        }
    }

    @Test func aNameThatCannotBeTakenLeavesNothingBehind() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/f", withIntermediateDirectories: true)
            let error = await failure { try await client { .text("hello") }.download(.get("/"), to: "\(folder)/f") }
            #expect(error?.code == .unwritableFile)
            #expect(error?.attempts == 0)
            #expect(names(folder) == ["f"])
        }
    }

    @Test func theFileIsItsUsersAlone() async throws {
        try await withFolder { folder in
            let file = try await client { .text("hello") }.download(.get("/"), to: "\(folder)/f")
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        }
    }
}
