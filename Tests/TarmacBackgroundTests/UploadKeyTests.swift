import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
import TarmacOutbox
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacBackground
@testable import TarmacTransfer

/// How an upload is found again by the next launch.
@Suite(.timeLimit(.minutes(5))) struct UploadKeyTests {
    private struct Post: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/photos")
        var title = "Sunrise"
    }

    /// The label of the request that arrives at a transport of the background; another launch has another client.
    private func label(
        _ capabilities: TransportCapabilities = .background, body: Body = .text("a"), seed: UInt64 = 1, _ configure: (inout Options) -> Void
    ) async throws -> (label: BackgroundLabel?, isRepeatable: Bool) {
        let found = Locked<Request?>(nil)
        let stub = StubTransport(capabilities: capabilities) { request in
            found.withLock { $0 = request }
            return .status(.ok)
        }
        try await Client(stub, seed: seed).send(Upload(body, to: Post()), configure: configure)
        let request = try #require(found.withLock { $0 })
        return (BackgroundLabel(request), request.isRepeatableTransfer)
    }

    @Test func theKeyIsTheOneOfTheApp() async throws {
        let first = try await label { $0.idempotencyKey = .value("photo-7") }
        let again = try await label(seed: 2) { $0.idempotencyKey = .value("photo-7") }
        #expect(first.label?.isUpload == true && first.isRepeatable)
        #expect(first.label == again.label)
        let other = try await label { $0.idempotencyKey = .value("photo-8") }
        #expect(first.label != other.label)
        let somebody = try await label { ($0.idempotencyKey, $0.principal) = (.value("photo-7"), "bob") }
        #expect(first.label != somebody.label, "nobody takes the response of another user")
    }

    /// The cookies of a jar tell the users.
    @Test func noUserTakesTheResponseOfAnother() async throws {
        struct Jar: CookieKeeper {
            let cookies: String
            func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { cookies }
            func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
        }
        func label(_ cookies: String, seed: UInt64) async throws -> BackgroundLabel? {
            try await self.label(seed: seed) { ($0.transferKey, $0.cookies) = ("photo 7", .keeper(Jar(cookies: cookies))) }.label
        }
        let ann = try await label("session=ann", seed: 1)
        #expect(try await label("session=ann", seed: 2) == ann)
        #expect(try await label("session=bob", seed: 2) != ann)
        #expect(try await self.label { $0.transferKey = "photo 7" }.label != ann)
    }

    @Test func aTransferKeyNamesAnUploadThatMustNotBeRepeated() async throws {
        let first = try await label { $0.transferKey = "photo 7" }
        #expect(first.label != nil && !first.isRepeatable)
        #expect(try await label(seed: 2) { $0.transferKey = "photo 7" }.label == first.label)
    }

    @Test func aKeyThatTheNextLaunchDoesNotKnowIsNone() async throws {
        #expect(try await label { $0.idempotencyKey = .automatic }.label == nil)
        #expect(try await label { _ in }.label == nil)
        let named = try await label { ($0.idempotencyKey, $0.transferKey) = (.automatic, "photo 7") }
        #expect(named.label != nil && !named.isRepeatable, "the random key covers no second request")
    }

    @Test func otherTransportsGetNoKey() async throws {
        #expect(try await label(.everything) { $0.idempotencyKey = .value("photo-7") }.label == nil)
    }

    @Test func aLabelIsFoundAgainByItsDescription() async throws {
        let label = try #require(try await label { $0.transferKey = "photo 7" }.label)
        #expect(BackgroundLabel(description: label.description) == label)
        let download = try #require(BackgroundLabel(description: "tarmac-1 \(label.key) "))
        #expect(download != label && download.fileName != label.fileName)
    }

    @Test func anEntryOfAnOutboxHasOneKeyForAllAttempts() async throws {
        let found = Locked<[Request]>([])
        let stub = StubTransport(capabilities: .background) { request in
            let isFirst = found.withLock { found in
                found.append(request)
                return found.count == 1
            }
            if isFirst { throw TarmacError(.connectionLost, phase: .waiting) }
            return .status(.created)
        }
        let client = Client(stub) { $0.idempotencyKey = .automatic }
        let outbox = try Outbox(client: client, store: MemoryOutboxStore(), rule: OutboxRule { ($0.base, $0.attemptTime) = (.milliseconds(1), .seconds(1)) })
        outbox.start()
        let id = try await outbox.enqueue(Post(), lane: "photos")
        _ = try await outbox.outcome(of: id)
        let requests = found.withLock { $0 }
        #expect(requests.count == 2)
        let labels = requests.map { BackgroundLabel($0) }
        #expect(labels[0]?.isUpload == true && labels[0] == labels[1])
        #expect(requests.allSatisfy { $0.isRepeatableTransfer })
        #expect(BackgroundPolicy.refusal(requests[0], .collected(limit: 1)) == nil)
        await outbox.shutdown()
    }
}
