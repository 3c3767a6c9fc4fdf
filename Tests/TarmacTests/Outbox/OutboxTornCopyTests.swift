import Foundation
import TarmacResumableUpload
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// A file that changes while it is copied: the copy is the file as it was at one time.
@Suite("Outbox: files that change", .timeLimit(.minutes(5)))
struct OutboxTornCopyTests {
    /// Runs a closure when a piece of the file has been read.
    private struct Turning: Sealer {
        let between: @Sendable () -> Void
        func seal(_ bytes: Bytes, context: Bytes) throws -> Bytes {
            between()
            return bytes
        }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes { sealed }
    }

    private struct PostVideo: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/videos")
    }

    private func enqueue(_ path: String, asUpload: Bool, _ outbox: Outbox) async throws {
        if asUpload {
            try await outbox.enqueue(Upload(UploadSource.file(path), to: PostVideo(), by: .tus))
        } else {
            try await outbox.enqueue(Upload(.file(path, contentType: "video/mp4"), to: PostVideo()))
        }
    }

    private func rewrite(_ path: String, _ byte: UInt8, size: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.write(contentsOf: Data(repeating: byte, count: size))
        try handle.close()
    }

    /// It is longer then, so that its state differs even if the clock of the file system is coarse.
    @Test(arguments: [true, false]) func theCopyIsOneFile(asUpload: Bool) async throws {
        try await withFolder { folder in
            let path = "\(folder)/video", size = 2 << 20, isChanged = Locked(false)
            try Data(repeating: 1, count: size).write(to: URL(filePath: path))
            let sealer = Turning {
                let isFirst = isChanged.withLock { isChanged in
                    defer { isChanged = true }
                    return !isChanged
                }
                if isFirst { try? rewrite(path, 2, size: size + 1) }
            }
            let stub = StubTransport { _ in .status(.ok) }
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
                $0.transferLedger = .folder("\(folder)/ledger")
            }
            let store = MemoryOutboxStore(bodyFolder: "\(folder)/bodies"), outbox = try Outbox(client: client, store: store, sealer: sealer)
            try await enqueue(path, asUpload: asUpload, outbox)
            let record = try #require(store.records(.all, limit: 1).first), mutation = try outbox.core.coder.mutation(in: record)
            let file = try #require(mutation.file), body = try outbox.core.body(of: record, file, contentType: nil)
            guard case .stream(let stream) = body.content else { return #expect(Bool(false), "it is not sealed") }
            var kept: [UInt8] = []
            for try await piece in stream { kept += piece.array }
            #expect(kept.count == size + 1 && Set(kept) == [2])
            await outbox.shutdown()
            await client.shutdown()
        }
    }

    @Test func aFileThatChangesAllTheTimeIsRefused() async throws {
        try await withFolder { folder in
            let path = "\(folder)/video", size = Locked(2 << 20)
            try Data(repeating: 1, count: 2 << 20).write(to: URL(filePath: path))
            let sealer = Turning {
                let size = size.withLock { size in
                    size += 1
                    return size
                }
                try? rewrite(path, 2, size: size)
            }
            let rig = try OutboxRig(store: MemoryOutboxStore(bodyFolder: "\(folder)/bodies"), sealer: sealer)
            let error = await #expect(throws: TarmacError.self) { try await enqueue(path, asUpload: false, rig.outbox) }
            #expect(error?.code == .unreadableFile && error?.reason.contains("changes") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/bodies").isEmpty)
            #expect(try await rig.stored().isEmpty)
            await rig.outbox.shutdown()
        }
    }
}
