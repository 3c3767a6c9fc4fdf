import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// A captive portal answers the requests of resumable uploads.
@Suite("Resumable uploads behind a portal", .timeLimit(.minutes(5)))
struct UploadPortalTests {
    private struct CreateFilm: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/films")
    }

    private let bytes = noise(50_000)

    /// The page of a portal. The answer to HEAD has no body.
    private static func page(_ request: Request, _ status: HTTPResponse.Status = .ok) -> Response {
        if request.method == .head { return .status(status, headers: [.contentType: "text/html; charset=utf-8"]) }
        return .text("<html>Log in to the hotel</html>", status: status, headers: [.contentType: "text/html"])
    }

    @Test(arguments: ResumableUploadTests.protocols, [HTTPRequest.Method.post, .patch, .head, .options])
    func anEntryOfAnOutboxWaitsUntilThePortalIsGone(settings: UploadProtocol, place: HTTPRequest.Method) async throws {
        let server = StubUploads(abilities: [:]), isThere = Locked(true), time = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000))
        let pages = Locked(0)
        if place == .head { server.breakOff(after: [20_000]) }
        let stub = StubTransport { request in
            // One that answers OPTIONS answers everything.
            guard request.method == place || place == .options, isThere.withLock({ $0 }) else { return try server.answer(request) }
            pages.withLock { $0 += 1 }
            return Self.page(request)
        }
        try await withFolder { folder in
            let films = Service("films", hosts: [.production: "https://films.example"]) {
                $0.transferLedger = .folder("\(folder)/ledger")
                $0.resume = .never
            }
            let client = Client(transport: .stub(stub), services: [films], time: time, randomness: SeededGenerator(seed: 1))
            let outbox = try Outbox(client: client, store: MemoryOutboxStore(bodyFolder: "\(folder)/bodies"))
            var asking = settings
            asking.asksFirst = place == .options
            let id = try await outbox.enqueue(Upload(.data(Data(bytes), name: "f.png"), to: CreateFilm(), by: asking))
            outbox.start()
            // The clock goes on, so that each pause ends.
            try await eventually(trying: {
                if let failure = try await outbox.entry(id)?.failure, pages.withLock({ $0 > 0 }) { return failure.kind == .passing }
                time.advance(by: .seconds(1))
                return false
            })
            isThere.withLock { $0 = false }
            try await eventually(trying: {
                time.advance(by: .seconds(1))
                return try await outbox.entry(id) == nil
            })
            #expect(server.uploads.count == 1 && server.uploads["/uploads/1"]?.bytes == bytes)
            await outbox.shutdown()
            await client.shutdown()
        }
    }

    /// Within a call, the server is asked what it has.
    @Test(arguments: ResumableUploadTests.protocols, [HTTPRequest.Method.patch, .head])
    func aPageDoesNotEndTheCall(settings: UploadProtocol, place: HTTPRequest.Method) async throws {
        let server = StubUploads(), isThere = Locked(true)
        if place == .head { server.breakOff(after: [20_000]) }
        let stub = StubTransport { request in
            let isCaught =
                request.method == place
                && isThere.withLock { isThere in
                    defer { if request.method == place { isThere = false } }
                    return isThere
                }
            return isCaught ? Self.page(request) : try server.answer(request)
        }
        let client = Client(stub) { $0.resume = .automatic { $0.base = .zero } }
        let landed = try await client.send(Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: settings))
        #expect(landed.url.path == "/uploads/1")
        #expect(server.bytesReceived == 50_000)
    }

    /// A company's filter shows its page with 403, which is no answer of the server.
    @Test(arguments: ResumableUploadTests.protocols)
    func aPageOfAFilterDoesNotForgetTheUpload(settings: UploadProtocol) async throws {
        let server = StubUploads(), isThere = Locked(false), ledger = TransferLedger(MemoryTransferStore())
        server.breakOff(after: [20_000])
        let stub = StubTransport { request in
            isThere.withLock { $0 } ? .text("<html>Blocked</html>", status: .forbidden, headers: [.contentType: "text/html"]) : try server.answer(request)
        }
        let client = Client(stub) { ($0.transferLedger, $0.resume) = (ledger, .never) }
        let upload = { try await client.send(Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: settings)) }
        _ = await failure { _ = try await upload() }
        isThere.withLock { $0 = true }
        #expect(await failure { _ = try await upload() }?.status == .forbidden)
        isThere.withLock { $0 = false }
        #expect(try await upload().url.path == "/uploads/1")
        #expect(stub.requests.map(\.method) == [.post, .patch, .head, .head, .patch])
    }

    /// A server may answer with a page of its own, and say what counts in the header fields.
    @Test func aPageWithTheProtocolsFieldsIsTheServers() async throws {
        let server = StubUploads()
        let stub = StubTransport { request in
            var response = try server.answer(request)
            if request.method != .head { response.body = .bytes(Bytes("<html>Done</html>")) }
            response.headers[.contentType] = "text/html"
            return response
        }
        for settings in ResumableUploadTests.protocols {
            _ = try await Client(stub).send(Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: settings))
        }
        #expect(stub.requests.map(\.method) == [.post, .patch, .post, .patch])
    }

    /// Cancels a call when a record is written after the last bytes.
    private struct CancellingStore: TransferStore {
        let base = MemoryTransferStore()
        let isDue = Locked(false)
        let call = Locked<Task<UploadedFile, any Error>?>(nil)
        func record(for key: String) async throws -> Data? { try await base.record(for: key) }
        func save(_ record: Data, for key: String) async throws {
            if isDue.withLock({ $0 }) { call.withLock { $0 }?.cancel() }
            try await base.save(record, for: key)
        }
        func remove(_ key: String) async throws { try await base.remove(key) }
        func keys() async throws -> [String] { try await base.keys() }
    }

    /// The call ends just then.
    @Test func anUploadThatIsCompleteLeavesNoRecord() async throws {
        let server = StubUploads(), store = CancellingStore(), ledger = TransferLedger(store)
        let stub = StubTransport { request in
            var response = try server.answer(request)
            guard request.method == .patch else { return response }
            store.isDue.withLock { $0 = true }
            response.headers[UploadField.expires] = "Fri, 01 Dec 2090 00:00:00 GMT"
            return response
        }
        stub.hold()
        let client = Client(stub) { $0.transferLedger = ledger }
        let task = Task { try await client.send(Upload(.data(Data(bytes), name: "f.png"), to: .post("/files"), by: .tus)) }
        store.call.withLock { $0 = task }
        stub.release()
        _ = try? await task.value
        #expect(server.uploads["/uploads/1"]?.bytes == bytes)
        try await eventually { try await ledger.unfinished() == [] }
        #expect(try await ledger.unfinished() == [])
    }
}
