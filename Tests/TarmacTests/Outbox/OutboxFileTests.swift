import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A body that is a file when a call is enqueued.
@Suite("Outbox: files", .timeLimit(.minutes(5)))
struct OutboxFileTests {
    private let path = "\(FileManager.default.temporaryDirectory.path)/tarmac-outbox-\(UInt64.random(in: .min ... .max))"

    private func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    private func remove() { try? FileManager.default.removeItem(atPath: path) }

    private func upload() throws -> InlineEndpoint<Void> {
        InlineEndpoint(.put("/note"), body: try .file(path, contentType: "application/x-note"), landing: .void)
    }

    @Test(arguments: [0, 1, 300_000])
    func aFileIsTakenAlongAndMayGo(size: Int) async throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try write(content)
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(upload())
        remove()
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        let sent = try #require(rig.stub.requests.first)
        #expect(sent.body.buffered == Bytes(content) && sent.headers[.contentType] == "application/x-note")
    }

    @Test func aFileThatIsTooLargeIsRefusedWithTheLimit() async throws {
        try write([UInt8](repeating: 7, count: 101))
        defer { remove() }
        let rig = try OutboxRig { $0.maximumBodySize = 100 }
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(upload()) }
        #expect(error?.code == .invalidParameter && error?.reason.contains("101 bytes") == true)
        #expect(error?.reason.contains("100 bytes (maximumBodySize)") == true && error?.suggestion?.contains("maximumBodySize") == true)
        // It counts what there is when it is taken.
        let endpoint = try upload()
        try write([7])
        #expect(try await rig.stored().isEmpty)
        try write([UInt8](repeating: 7, count: 100))
        try await rig.outbox.enqueue(upload())
        try write([UInt8](repeating: 7, count: 5_000))
        let grown = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(endpoint) }
        #expect(grown?.code == .invalidParameter)
        #expect(try await rig.stored().count == 1)
    }

    @Test func aFileThatIsGoneIsNamed() async throws {
        try write([1])
        let endpoint = try upload()
        remove()
        let rig = try OutboxRig()
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(endpoint) }
        #expect(error?.code == .unreadableFile && error?.reason.contains(path) == true)
    }
}
