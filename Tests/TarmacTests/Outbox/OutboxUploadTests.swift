#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacResumableUpload
@testable import TarmacTransfer

/// Uploads from an outbox that continue where the server is.
@Suite("Outbox: resumable uploads", .timeLimit(.minutes(5)))
struct OutboxUploadTests {
    private struct CreateFilm: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/films")
    }

    /// Bytes turned around and bound to their context.
    private struct Mirrored: Sealer {
        func seal(_ bytes: Bytes, context: Bytes) -> Bytes { Bytes([UInt8(context.count)] + context.array + bytes.array.map { ~$0 }) }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes {
            guard sealed.array.starts(with: [UInt8(context.count)] + context.array) else { throw TarmacError(.decryptionFailed, "it is another's") }
            return Bytes(sealed.array.dropFirst(context.count + 1).map { ~$0 })
        }
    }

    /// An outbox of one process. Two of them with one folder and one store are a process and the next one.
    private struct Process {
        let stub: StubTransport
        let client: Client
        let outbox: Outbox
        let time: ManualTime
        let films: Service

        init(
            _ folder: String, _ store: any OutboxStore, seed: UInt64 = 1, isSealed: Bool = false,
            time: ManualTime = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000)), hasLedger: Bool = true,
            configure: @escaping @Sendable (inout Options) -> Void = { _ in },
            answer: @escaping @Sendable (Request) async throws -> Response
        ) throws {
            let films = Service("films", hosts: [.production: "https://films.example"]) {
                if hasLedger { $0.transferLedger = .folder("\(folder)/ledger") }
                $0.resume = .never
                configure(&$0)
            }
            self.films = films
            let stub = StubTransport { try await answer($0) }
            (self.stub, self.time) = (stub, time)
            client = Client(transport: .stub(stub), services: [films], time: time, randomness: SeededGenerator(seed: seed))
            outbox = try Outbox(
                client: client, store: store, rule: OutboxRule { $0.maximumBodySize = 1_000 }, sealer: isSealed ? Mirrored() : nil)
        }

        var methods: [HTTPRequest.Method] { stub.requests.map(\.method) }

        func enqueue(_ source: UploadSource, by settings: UploadProtocol) async throws -> OutboxEntry.ID {
            try await outbox.enqueue(Upload(source, to: CreateFilm(), by: settings))
        }
    }

    private func content(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) } }

    /// Runs a test with a folder that holds a film.
    private func withFilm(
        _ bytes: [UInt8], _ body: (_ film: String, _ folder: String, _ store: MemoryOutboxStore) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/film.mp4"))
            try await body("\(folder)/film.mp4", folder, MemoryOutboxStore(bodyFolder: "\(folder)/bodies"))
        }
    }

    // MARK: Going on

    @Test(arguments: ResumableUploadTests.protocols, [false, true])
    func aLostConnectionGoesOnWhereTheServerIs(settings: UploadProtocol, isSealed: Bool) async throws {
        // More than two pieces of a sealed file, and an offset within the second.
        let bytes = content((5 << 20) / 2), server = StubUploads()
        server.breakOff(after: [(3 << 20) / 2])
        try await withFilm(bytes) { film, folder, store in
            let app = try Process(folder, store, isSealed: isSealed) { try server.answer($0) }
            let id = try await app.enqueue(.file(film), by: settings)
            try FileManager.default.removeItem(atPath: film)
            #expect(try await app.outbox.entry(id)?.mutation?.uploadProtocol == settings)
            let changes = app.outbox.changes
            app.outbox.start()
            #expect(await changes.nextPostponed() != nil)
            #expect(app.methods == [.post, .patch])
            #expect(names("\(folder)/ledger").count == 1)
            app.time.advance(by: .seconds(300))
            await app.outbox.waitUntilIdle()
            #expect(app.methods == [.post, .patch, .head, .patch])
            #expect(app.stub.requests.last?.headers[UploadField.offset] == "\((3 << 20) / 2)")
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(server.bytesReceived == bytes.count)
            #expect(try await app.outbox.entries().isEmpty)
            #expect(names("\(folder)/ledger").isEmpty && names("\(folder)/bodies").isEmpty)
        }
    }

    @Test(arguments: ResumableUploadTests.protocols)
    func anotherProcessGoesOnWhereTheLastOneWas(settings: UploadProtocol) async throws {
        let bytes = content(50_000), server = StubUploads(), isAppending = Watched(false)
        var part = settings
        part.chunkSize = 20_000
        try await withFilm(bytes) { film, folder, store in
            let first = try Process(folder, store) { request in
                let response = try server.answer(request)
                guard request.method == .patch else { return response }
                isAppending.update { $0 = true }
                // Until the process ends.
                _ = try await Watched(false).wait { $0 }
                return response
            }
            let id = try await first.enqueue(.file(film), by: part)
            first.outbox.start()
            try await isAppending.wait { $0 }
            await first.outbox.shutdown(grace: .zero)
            let left = try #require(try await first.outbox.entry(id))
            #expect(left.attempts == 0 && !left.isLeased)
            await first.client.shutdown()

            let second = try Process(folder, store, seed: 2) { try server.answer($0) }
            second.outbox.start()
            await second.outbox.waitUntilIdle()
            #expect(second.methods == [.head, .patch, .patch])
            #expect(second.stub.requests.map { $0.headers[UploadField.offset] } == [nil, "20000", "40000"])
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(server.bytesReceived == 50_000)
            #expect(names("\(folder)/ledger").isEmpty && names("\(folder)/bodies").isEmpty)
        }
    }

    /// Runs `body` when the whole file is on the server, and its answer was lost.
    private func withLostAnswer(
        _ settings: UploadProtocol, _ body: (Process, OutboxEntry.ID, StubUploads, OutboxChanges, String) async throws -> Void
    ) async throws {
        let server = StubUploads()
        server.breakOff(after: [60_000])
        try await withFilm(content(50_000)) { film, folder, store in
            let app = try Process(folder, store) { try server.answer($0) }
            let id = try await app.enqueue(.file(film), by: settings), changes = app.outbox.changes
            app.outbox.start()
            #expect(await changes.nextPostponed() != nil)
            try await body(app, id, server, changes, folder)
        }
    }

    @Test(arguments: ResumableUploadTests.protocols)
    func anAnswerThatGetsLostIsNotSentForTwice(settings: UploadProtocol) async throws {
        try await withLostAnswer(settings) { app, id, server, _, _ in
            app.time.advance(by: .seconds(300))
            await app.outbox.waitUntilIdle()
            guard case .sent = try await app.outbox.outcome(of: id) else { return #expect(Bool(false), "it was not sent") }
            #expect(app.methods == [.post, .patch, .head])
            #expect(server.bytesReceived == 50_000)
        }
    }

    /// A process that ends after the last response and before the result is stored.
    @Test(arguments: ResumableUploadTests.protocols)
    func whatArrivedAndIsNotWrittenDownIsNotUploadedTwice(settings: UploadProtocol) async throws {
        let server = StubUploads(), store = FlakyStore(), bytes = content(900)
        try await withFolder { folder in
            let first = try Process(folder, store) { try server.answer($0) }
            _ = try await first.enqueue(.data(Data(bytes), name: "note.txt"), by: settings)
            store.refusesAll.withLock { $0 = true }
            first.outbox.start()
            await eventually { store.refused.withLock { $0 } > 0 }
            await first.outbox.shutdown(grace: .zero)
            #expect(first.methods == [.post, .patch])
            store.refusesAll.withLock { $0 = false }

            let second = try Process(folder, store, seed: 2) { try server.answer($0) }
            second.outbox.start()
            await second.outbox.waitUntilIdle()
            #expect(second.methods == [.head])
            #expect(server.uploads.count == 1 && server.bytesReceived == 900)
            #expect(try await second.outbox.entries().isEmpty)
            #expect(names("\(folder)/ledger").isEmpty)
        }
    }

    @Test(arguments: ResumableUploadTests.protocols)
    func whatTheServerHasForgottenBeginsAgainUnderTheSameKey(settings: UploadProtocol) async throws {
        let bytes = content(50_000), server = StubUploads()
        server.breakOff(after: [20_000])
        try await withFilm(bytes) { film, folder, store in
            let app = try Process(folder, store) { try server.answer($0) }
            _ = try await app.enqueue(.file(film), by: settings)
            let changes = app.outbox.changes
            app.outbox.start()
            #expect(await changes.nextPostponed() != nil)
            server.forget()
            app.time.advance(by: .seconds(300))
            await app.outbox.waitUntilIdle()
            #expect(app.methods == [.post, .patch, .head, .post, .patch])
            let keys = app.stub.requests.filter { $0.method == .post }.map { $0.headers[.idempotencyKey] }
            #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
            #expect(server.uploads["/uploads/2"]?.bytes == bytes)
        }
    }

    /// It may be complete, and for that be forgotten. A new key of the entry is the app's decision to upload it again.
    @Test(arguments: ResumableUploadTests.protocols)
    func whatMayBeCompleteIsNotUploadedAgainUnderTheSameKey(settings: UploadProtocol) async throws {
        try await withLostAnswer(settings) { app, id, server, changes, folder in
            server.forget()
            for _ in 1...2 {
                app.time.advance(by: .seconds(300))
                #expect(await changes.nextPostponed() != nil)
            }
            #expect(app.methods == [.post, .patch, .head, .head])
            try await app.outbox.edit(id, key: .mint) { _ in }
            app.time.advance(by: .seconds(300))
            await app.outbox.waitUntilIdle()
            #expect(app.methods == [.post, .patch, .head, .head, .post, .patch])
            #expect(names("\(folder)/ledger").isEmpty)
        }
    }

    /// Tokens that are not renewed.
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    /// An entry that was released to the account that is logged in does not continue the upload of the other account.
    @Test(arguments: ResumableUploadTests.protocols, ["ann", "bob"])
    func anEntryOfAnotherAccountIsAnotherUpload(settings: UploadProtocol, second: String) async throws {
        let bytes = content(50_000), server = StubUploads()
        server.breakOff(after: [20_000])
        try await withFilm(bytes) { film, folder, store in
            let app = try Process(folder, store, configure: { $0.authenticator = .init(Logins()) }) { try server.answer($0) }
            try await app.client[app.films].logIn(AccessToken("1", account: "ann"))
            let id = try await app.enqueue(.file(film), by: settings), changes = app.outbox.changes
            app.outbox.start()
            #expect(await changes.nextPostponed() != nil)
            // The log-in would have it sent while it is edited.
            app.outbox.pause()
            try await app.client[app.films].logOut()
            try await app.client[app.films].logIn(AccessToken("2", account: second))
            try await app.outbox.edit(id) { $0.account = nil }
            app.outbox.resume()
            app.time.advance(by: .seconds(300))
            await app.outbox.waitUntilIdle()
            #expect(app.methods == [.post, .patch] + (second == "ann" ? [.head, .patch] : [.post, .patch]))
            #expect(server.uploads[second == "ann" ? "/uploads/1" : "/uploads/2"]?.bytes == bytes)
            #expect(names("\(folder)/ledger").isEmpty)
        }
    }

    // MARK: Ends

    @Test(arguments: ResumableUploadTests.protocols)
    func aRefusedUploadIsADeadLetterThatGoesOnOnceResent(settings: UploadProtocol) async throws {
        let bytes = content(50_000), server = StubUploads(), isRefusing = Locked(true)
        try await withFilm(bytes) { film, folder, store in
            let app = try Process(folder, store) { request in
                request.method == .patch && isRefusing.withLock { $0 } ? .status(HTTPResponse.Status(code: 422)) : try server.answer(request)
            }
            let id = try await app.enqueue(.file(film), by: settings)
            app.outbox.start()
            guard case .buried(let failure) = try await app.outbox.outcome(of: id) else { return #expect(Bool(false), "it is no dead letter") }
            #expect(failure.kind == .refused && failure.status == 422)
            #expect(names("\(folder)/bodies") == [id.rawValue] && names("\(folder)/ledger").count == 1)
            isRefusing.withLock { $0 = false }
            try await app.outbox.resend()
            await app.outbox.waitUntilIdle()
            #expect(app.methods == [.post, .patch, .head, .patch])
            #expect(server.uploads["/uploads/1"]?.bytes == bytes)
            #expect(names("\(folder)/bodies").isEmpty && names("\(folder)/ledger").isEmpty)
        }
    }

    @Test(arguments: [false, true])
    func anUploadThatIsDroppedOrSentElsewhereLeavesNoRecord(isDropped: Bool) async throws {
        try await withFilm(content(50_000)) { film, folder, store in
            let server = StubUploads()
            server.breakOff(after: [20_000])
            let app = try Process(folder, store) { try server.answer($0) }
            let id = try await app.enqueue(.file(film), by: .tus), changes = app.outbox.changes
            app.outbox.start()
            #expect(await changes.nextPostponed() != nil)
            #expect(names("\(folder)/ledger").count == 1)
            if isDropped {
                #expect(try await app.outbox.drop(.all) == 1)
                #expect(names("\(folder)/ledger").isEmpty && names("\(folder)/bodies").isEmpty)
            } else {
                try await app.outbox.edit(id) { $0.target = "/others" }
                #expect(names("\(folder)/ledger").isEmpty && names("\(folder)/bodies") == [id.rawValue])
                app.time.advance(by: .seconds(300))
                await app.outbox.waitUntilIdle()
                #expect(app.methods == [.post, .patch, .post, .patch])
                #expect(app.stub.requests.filter { $0.method == .post }.map(\.url.path) == ["/films", "/others"])
            }
        }
    }

    @Test func withoutALedgerOrWithSettingsThatMeanNothingItIsRefused() async throws {
        try await withFilm(content(50_000)) { film, folder, store in
            let server = StubUploads()
            let none = try Process(folder, store, hasLedger: false) { try server.answer($0) }
            let missing = await #expect(throws: TarmacError.self) { try await none.enqueue(.file(film), by: .tus) }
            #expect(missing?.code == .invalidOption && missing?.suggestion?.contains("transferLedger") == true)
            let app = try Process(folder, store, seed: 2) { try server.answer($0) }
            for settings in [UploadProtocol.tus { $0.chunkSize = 0 }, .ietf { $0.checksum = .sha1 }] {
                let error = await #expect(throws: TarmacError.self) { try await app.enqueue(.file(film), by: settings) }
                #expect(error?.code == .invalidOption)
            }
            #expect(try await app.outbox.entries().isEmpty)
            #expect(names("\(folder)/bodies").isEmpty)
        }
    }

    // MARK: What is stored

    @Test func theProtocolIsStoredAndOlderEntriesAreReadAsBefore() throws {
        let vault = OutboxCoder(sealer: nil), id = OutboxEntry.ID(rawValue: "1"), lane = OutboxLane(service: "s", environment: "e", name: "l")
        func record(_ payload: Bytes) -> OutboxRecord {
            OutboxRecord(id: id, lane: lane, fingerprint: "", payload: payload, isSealed: false, created: .distantPast)
        }
        var mutation = OutboxMutation(
            endpoint: "E", tags: [], idempotencyKey: "k", method: .post, target: "/a", host: .origin, headers: [:], contentType: nil,
            body: Bytes("body"))
        let plain = try vault.payload(of: mutation, id, in: lane)
        let settings = [
            UploadProtocol.tus { ($0.metadata, $0.checksum, $0.chunkSize) = (["filename": "a", "b": ""], .sha1, 1 << 33) },
            .ietf { ($0.asksFirst, $0.interopVersion) = (true, nil) }, .ietf,
        ]
        for settings in settings {
            mutation.upload = OutboxMutation.Upload(settings: settings, name: "film.mp4")
            let payload = try vault.payload(of: mutation, id, in: lane)
            #expect(try vault.mutation(in: record(payload)) == mutation)
            // An earlier version refuses it instead of sending it as one request.
            #expect(payload.first == 3 && plain.first == 1)
        }
        let head = #"{"e":"E","g":[],"k":"k","m":"POST","t":"/a","h":"cdn","f":[],"s":[],"b":false,"p":false}"#
        let old = try vault.mutation(in: record(Bytes([1, 0, 0, 0, UInt8(head.utf8.count)] + Array("\(head)body".utf8))))
        #expect(old.endpoint == "E" && old.body == Bytes("body") && old.uploadProtocol == nil)
    }

    @Test func aSecretInTheMetadataIsNotKeptUnsealed() async throws {
        try await withFolder { folder in
            let server = StubUploads(), settings = UploadProtocol.tus { $0.metadata = ["password": "hush"] }
            let open = try Process(folder, FlakyStore()) { try server.answer($0) }
            let error = await #expect(throws: TarmacError.self) { try await open.enqueue(.data(Data([1]), name: "n"), by: settings) }
            #expect(error?.code == .invalidParameter)
            let sealed = try Process(folder, FlakyStore(), seed: 2, isSealed: true) { try server.answer($0) }
            _ = try await sealed.enqueue(.data(Data([1]), name: "n"), by: settings)
            #expect(try await sealed.outbox.entries().count == 1)
        }
    }

    // MARK: Progress

    @Test(arguments: ResumableUploadTests.protocols)
    func progressIsToldInOrderAndEndsBeforeTheEntry(settings: UploadProtocol) async throws {
        let server = StubUploads(), seen = Watched<Int64>(-1), time = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000))
        var part = settings
        part.chunkSize = 20_000
        try await withFilm(content(50_000)) { film, folder, store in
            let app = try Process(folder, store, time: time) { request in
                // The consumer reads each offset before the server answers, so that nothing later replaces the first two.
                let offset = request.headers[UploadField.offset].flatMap { Int64($0) }
                if let offset, request.method == .patch { try await seen.wait { $0 >= offset } }
                time.advance(by: .seconds(1))
                return try server.answer(request)
            }
            let changes = app.outbox.changes
            _ = try await app.enqueue(.file(film), by: part)
            app.outbox.start()
            var sent: [Int64] = [], totals: Set<Int64?> = [], isSent = false
            for await change in changes {
                if case .progress(let progress) = change.kind {
                    sent.append(progress.sent)
                    totals.insert(progress.totalToSend)
                    seen.update { $0 = max($0, progress.sent) }
                }
                if change.kind.isFinal {
                    if case .sent = change.kind { isSent = true }
                    break
                }
            }
            #expect(isSent)
            #expect(sent == sent.sorted() && sent.first == 0 && sent.last == 50_000)
            #expect(sent.contains(20_000))
            #expect(totals == [50_000])
            await app.outbox.waitUntilIdle()
            await app.outbox.shutdown()
            // Nothing follows the end but the end of the sequence.
            #expect(await changes.next { _ in true } == nil)
        }
    }

    @Test func aBodyInAFileTellsItsProgressToo() async throws {
        try await withFilm(content(2_000)) { film, folder, store in
            let app = try Process(folder, store) { _ in .status(.ok) }
            let changes = app.outbox.changes
            try await app.outbox.enqueue(Upload(.file(film, contentType: "video/mp4"), to: CreateFilm()))
            app.outbox.start()
            var told: [TransferProgress] = []
            for await change in changes {
                if case .progress(let progress) = change.kind { told.append(progress) }
                if change.kind.isFinal { break }
            }
            #expect(told.last?.sent == 2_000 && told.last?.totalToSend == 2_000)
        }
    }
}
