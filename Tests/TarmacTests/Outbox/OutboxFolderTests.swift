import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bodies too large for an entry, which are kept as files beside the store.
@Suite("Outbox: bodies kept as files", .timeLimit(.minutes(5)))
final class OutboxFolderTests: Sendable {
    private let base = "\(FileManager.default.temporaryDirectory.path)/tarmac-outbox-\(UInt64.random(in: .min ... .max))"
    private var folder: String { base + "/bodies" }
    private var source: String { base + "/film" }

    init() throws { try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: base) }

    /// Bytes turned around and bound to their context, which is enough to see what is in them and what is not.
    private struct Mirrored: Sealer {
        func seal(_ bytes: Bytes, context: Bytes) -> Bytes { Bytes([UInt8(context.count)] + context.array + bytes.array.map { ~$0 }) }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes {
            guard sealed.array.starts(with: [UInt8(context.count)] + context.array) else { throw TarmacError(.decryptionFailed, "it is another's") }
            return Bytes(sealed.array.dropFirst(context.count + 1).map { ~$0 })
        }
    }

    private func rig(
        _ answers: [OutboxRig.Answer] = [], store: MemoryOutboxStore? = nil, isSealed: Bool = false, configure: (inout OutboxRule) -> Void = { _ in }
    ) throws -> OutboxRig {
        try OutboxRig(answers, store: store ?? MemoryOutboxStore(bodyFolder: folder), sealer: isSealed ? Mirrored() : nil) {
            $0.maximumBodySize = 1_000
            configure(&$0)
        }
    }

    private func content(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 251) } }
    private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: source)) }
    private var kept: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }
    private func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))) }
    private func mode(_ path: String) throws -> Int? { try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }

    private struct PostFilm: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/films")
    }

    private func enqueue(_ rig: OutboxRig, lane: String = "main", key: String? = nil) async throws -> OutboxEntry.ID {
        try await rig.outbox.enqueue(Upload(.file(source, contentType: "video/mp4"), to: PostFilm()), lane: lane) {
            if let key { $0.idempotencyKey = .value(key) }
        }
    }

    // MARK: Kept and sent

    @Test(arguments: [false, true], [1_001, 1 << 20, (5 << 20) / 2])
    func aLargeFileOutlivesItsSourceAndItsProcess(isSealed: Bool, size: Int) async throws {
        let content = content(size), store = MemoryOutboxStore(bodyFolder: folder)
        try write(content)
        let id = try await enqueue(rig(store: store, isSealed: isSealed))
        try FileManager.default.removeItem(atPath: source)
        #expect(kept == [id.rawValue])
        #expect(try mode(folder) == 0o700)
        #expect(try mode("\(folder)/\(id)") == 0o600)
        #expect(try read(id.rawValue).contains(content[500..<600]) == !isSealed)
        // The entry itself stays small.
        #expect(store.records(.all, limit: 1)[0].payload.count < 2_000)
        let rig = try rig([.status(503)], store: store, isSealed: isSealed)
        let changes = rig.outbox.changes
        rig.outbox.start()
        #expect(await changes.nextPostponed() != nil)
        #expect(kept == [id.rawValue])
        rig.time.advance(by: .seconds(300))
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.map(\.body.buffered) == [Bytes(content), Bytes(content)])
        #expect(rig.stub.requests.map { $0.headers[.contentType] } == ["video/mp4", "video/mp4"])
        #expect(Set(rig.keys).count == 1)
        #expect(try await rig.stored().isEmpty && kept.isEmpty)
    }

    @Test func theEntryTellsItsSizeAndNotItsContent() async throws {
        try write(content(2_000))
        let rig = try rig()
        let id = try await enqueue(rig)
        let mutation = try #require(try await rig.outbox.entry(id)?.mutation)
        #expect(mutation.fileSize == 2_000 && mutation.body.isEmpty && "\(mutation)".hasSuffix("a file of 2000 bytes"))
    }

    @Test func aSmallFileStaysInItsEntry() async throws {
        try write(content(1_000))
        let rig = try rig()
        let id = try await enqueue(rig)
        #expect(kept.isEmpty)
        #expect(try await rig.outbox.entry(id)?.mutation?.body.count == 1_000)
    }

    @Test func aLinkIsFollowed() async throws {
        try write(content(2_000))
        try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: source)
        let rig = try rig()
        try await rig.outbox.enqueue(Upload(.file(base + "/link"), to: PostFilm()))
        try write([7])
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.first?.body.buffered?.count == 2_000)
    }

    @Test(arguments: [false, true], [10, 3_000, (3 << 20) / 2])
    func aFormIsReadToItsEnd(isSealed: Bool, size: Int) async throws {
        let content = content(size)
        try write(content)
        let rig = try rig(isSealed: isSealed)
        try await rig.outbox.enqueue(Upload(.multipart([.field("title", "Sunrise"), .file("film", source)], boundary: "b"), to: PostFilm()))
        try FileManager.default.removeItem(atPath: source)
        #expect(kept.count == (size < 1_000 ? 0 : 1))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        let sent = try #require(rig.stub.requests.first)
        #expect(sent.headers[.contentType] == "multipart/form-data; boundary=b")
        #expect(sent.body.buffered?.array.contains(content) == true && kept.isEmpty)
    }

    @Test func aStreamThatFailsLeavesNothing() async throws {
        struct Broken: Error {}
        let rig = try rig()
        let stream = AsyncThrowingStream<Bytes, any Error> { stream in
            stream.yield(Bytes(content(5_000)))
            stream.finish(throwing: Broken())
        }
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(Upload(.stream(ByteStream(stream)), to: PostFilm())) }
        #expect(error?.cause(as: Broken.self) != nil)
        #expect(try await rig.stored().isEmpty && kept.isEmpty)
    }

    // MARK: Bounds

    @Test(arguments: [false, true])
    func filesHaveSoMuchRoomTogether(isSealed: Bool) async throws {
        try write(content(2_000))
        let rig = try rig(isSealed: isSealed) { $0.maximumFileBytes = 5_000 }
        for _ in 1...2 { _ = try await enqueue(rig) }
        let error = await #expect(throws: TarmacError.self) { try await self.enqueue(rig) }
        #expect(error?.code == .outboxFull && error?.reason.contains("5000 bytes (maximumFileBytes)") == true)
        let stream = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(Upload(.stream(ByteStream(AsyncStream(unfolding: { Bytes([UInt8](repeating: 1, count: 500)) }))), to: PostFilm()))
        }
        #expect(stream?.code == .outboxFull)
        #expect(try await rig.stored().count == 2 && kept.count == 2)
        try await rig.outbox.drop(.all)
        _ = try await enqueue(rig)
    }

    @Test(arguments: [true, false])
    func withoutAPlaceForFilesTheErrorSaysWhatToDo(hasFolder: Bool) async throws {
        try write(content(2_000))
        let rig = try rig(store: MemoryOutboxStore(bodyFolder: hasFolder ? folder : nil)) { if hasFolder { $0.maximumFileBytes = 0 } }
        for body in [try Body.file(source), .stream(ByteStream { FileSlice(Bytes(self.content(2_000))) })] {
            let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(Upload(body, to: PostFilm())) }
            #expect(error?.code == .invalidParameter && error?.reason.contains("1000 bytes (maximumBodySize)") == true)
            #expect(error?.suggestion?.contains("a place for files") == true)
        }
        let large = try OutboxRig(store: MemoryOutboxStore(bodyFolder: folder)) { $0.maximumBodySize = 10 }
        let error = await #expect(throws: TarmacError.self) { try await large.outbox.enqueue(Upload(.data(Data(count: 11)), to: PostFilm())) }
        #expect(error?.suggestion?.contains("make the body a file") == true)
    }

    @Test func anAttemptMayTakeAsLongAsItsFileNeeds() async throws {
        try write(content(2_000))
        let rig = try rig()
        let entry = try #require(try await rig.outbox.entry(try await enqueue(rig)))
        var mutation = try #require(entry.mutation)
        mutation.file?.size = 64 << 20
        let options = OutboxCall.options(entry, mutation, OutboxRule(), nil)
        #expect(options.deadline == .seconds(120 + 1_024))
        #expect(OutboxCall.options(entry, mutation, OutboxRule { $0.attemptTime = .unlimited }, nil).deadline == .unlimited)
    }

    // MARK: Going

    @Test func theFileGoesWithItsEntryAndStaysWithADeadLetter() async throws {
        try write(content(2_000))
        let rig = try rig([.status(422), .status(422)])
        let first = try await enqueue(rig, lane: "a"), second = try await enqueue(rig, lane: "b")
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(kept == [first, second].map(\.rawValue).sorted())
        try await rig.outbox.drop(OutboxFilter(ids: [first]))
        #expect(kept == [second.rawValue])
        // Another target, the same film.
        try await rig.outbox.edit(second) { $0.target = "/others" }
        try await rig.outbox.resend()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.last?.url.path == "/v1/others" && rig.stub.requests.last?.body.buffered?.count == 2_000)
        #expect(kept.isEmpty)
    }

    @Test func aBodyThatIsSetTakesThePlaceOfTheFile() async throws {
        try write(content(2_000))
        let rig = try rig([.status(422)])
        let id = try await enqueue(rig)
        try await rig.outbox.edit(id) { $0.body = Bytes("7") }
        #expect(kept.isEmpty)
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.map(\.body.buffered) == [Bytes("7")])
    }

    @Test func aCallThatIsThereAlreadyKeepsNoSecondFile() async throws {
        try write(content(2_000))
        let rig = try rig()
        let id = try await enqueue(rig, key: "k")
        #expect(try await enqueue(rig, key: "k") == id)
        #expect(kept == [id.rawValue])
        try write(content(2_001))
        let error = await #expect(throws: TarmacError.self) { try await self.enqueue(rig, key: "k") }
        #expect(error?.code == .invalidOption && kept == [id.rawValue])
        #expect(try await rig.outbox.entry(id)?.mutation?.fileSize == 2_000)
    }

    @Test func aFullStoreKeepsNoFile() async throws {
        try write(content(2_000))
        let rig = try rig { $0.maximumEntries = 1 }
        let id = try await enqueue(rig)
        await #expect(throws: TarmacError.self) { try await self.enqueue(rig) }
        let films = try [Body.file(source), .file(source)].map { UploadEndpoint(base: PostFilm(), content: $0) }
        await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(contentsOf: films, lane: "b") }
        #expect(kept == [id.rawValue])
    }

    // MARK: Faults

    @Test func aFileThatIsGoneOrAnotherMakesADeadLetterThatLosesNothingElse() async throws {
        try write(content(2_000))
        let rig = try rig()
        let gone = try await enqueue(rig, lane: "a"), other = try await enqueue(rig, lane: "b")
        try FileManager.default.removeItem(atPath: "\(folder)/\(gone)")
        try Data(content(7)).write(to: URL(fileURLWithPath: "\(folder)/\(other)"))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        let letters = try await rig.outbox.entries(.deadLetters)
        #expect(letters.map(\.failure?.kind) == [.unreadable, .unreadable] && rig.stub.requests.isEmpty)
        #expect(letters.first?.failure?.reason.contains("is gone") == true && letters.last?.failure?.reason.contains("7 bytes") == true)
        // Once it is back, it goes.
        try Data(content(2_000)).write(to: URL(fileURLWithPath: "\(folder)/\(gone)"))
        try await rig.outbox.resend(OutboxFilter(ids: [gone]))
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.count == 1)
    }

    enum Damage: CaseIterable { case cut, longer, swapped, changed, absurd }

    @Test(arguments: Damage.allCases)
    func aSealedFileThatWasDamagedIsNotSent(damage: Damage) async throws {
        try write(content(3 << 20))
        let rig = try rig(isSealed: true)
        let id = try await enqueue(rig)
        var bytes = try read(id.rawValue)
        let piece = bytes.count / 3
        switch damage {
        case .cut: bytes.removeLast(10)
        case .longer: bytes[0] &+= 1
        case .swapped: bytes = Array(bytes[piece..<2 * piece] + bytes[..<piece] + bytes[(2 * piece)...])
        case .changed: bytes[20] ^= 1
        case .absurd: bytes.replaceSubrange(0..<4, with: [255, 255, 255, 255])
        }
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/\(id)"))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(try await rig.outbox.entries(.deadLetters).map(\.id) == [id])
        #expect(rig.stub.requests.allSatisfy { $0.body.buffered?.count != 3 << 20 })
    }

    @Test func anIDThatIsAPathReachesNoFile() throws {
        let folder = try #require(OutboxFolder(MemoryOutboxStore(bodyFolder: folder)))
        try write([1])
        folder.remove(["../film", "..", ".", "", "/etc/hostname"].map { OutboxEntry.ID(rawValue: $0) })
        #expect(FileManager.default.fileExists(atPath: source))
    }

    @Test func whatBelongsToNoEntryIsSweptOnceItIsOld() async throws {
        try write(content(2_000))
        let rig = try rig()
        let id = try await enqueue(rig)
        for name in ["stray", "begun.part"] { try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
        await rig.outbox.core.sweepFiles()
        #expect(kept.count == 3)
        await rig.outbox.core.sweepFiles(age: -60)
        #expect(kept == [id.rawValue])
    }
}
