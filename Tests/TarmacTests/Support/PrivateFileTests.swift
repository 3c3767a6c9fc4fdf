import Foundation
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacSupport

@Suite("Private file")
struct PrivateFileTests {
    private let path = NSTemporaryDirectory() + "private-\(UUID().uuidString)"
    private var file: PrivateFile<TarmacError> { PrivateFile(path, maximumSize: 4) { TarmacError(.storeFailed, "the file \($0)", cause: $1) } }
    private func clear() { for path in [path, path + ".lock", path + ".damaged"] { try? FileManager.default.removeItem(atPath: path) } }

    @Test func theContentIsReplacedAsAWhole() throws {
        defer { clear() }
        #expect(try file.read() == nil)
        for content in [[1, 2, 3, 4], [], [5]] as [[UInt8]] {
            try file.write(content)
            #expect(try file.read() == content)
        }
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        try file.remove()
        try file.remove()
        #expect(try file.read() == nil)
    }

    /// A file that could not be read again is not written.
    @Test func aContentBeyondTheLimitIsRefused() throws {
        defer { clear() }
        try file.write([1])
        let error = #expect(throws: TarmacError.self) { try file.write([1, 2, 3, 4, 5]) }
        #expect(error?.reason == "the file would be larger than 4 bytes")
        #expect(try file.read() == [1])
        try Data(count: 5).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(throws: TarmacError.self) { try file.read() }
        #expect(FileManager.default.contents(atPath: path + ".damaged")?.count == 4)
        #expect(try file.read() == nil)
    }

    /// It may hold a secret.
    @Test func aDraftOfAProcessThatWasKilledGoesWithTheNextWriteOrRemoval() throws {
        defer { clear() }
        let drafts = (0..<3).map { "\(path).part-\($0)" }
        func leave() { for draft in drafts { _ = FileManager.default.createFile(atPath: draft, contents: Data([9]), attributes: [.posixPermissions: 0o600]) } }
        func left() -> [String] { drafts.filter { FileManager.default.fileExists(atPath: $0) } }
        leave()
        try file.write([1])
        #expect(left() == [])
        #expect(try file.read() == [1])
        leave()
        try file.remove()
        #expect(left() == [])
        // One that a writer has is its own.
        let held = try #require(PrivateDraft(of: path))
        try file.write([2])
        try file.remove()
        #expect(left() == [held.path])
        FileDescriptor.closeFile(held.descriptor)
        try file.remove()
        #expect(left() == [])
    }

    /// A process that hangs or is suspended with the lock holds no other one for ever.
    @Test func aLockThatIsNotReleasedIsAnError() throws {
        defer { clear() }
        let lock = try #require(try file.tryLock())
        let error = #expect(throws: TarmacError.self) { try file.exclusively(within: .milliseconds(1)) { Issue.record("it is locked") } }
        #expect(error?.reason.contains("locked by another process") == true)
        FileDescriptor.closeFile(lock)
        var isDone = false
        try file.exclusively(within: .zero) { isDone = true }
        #expect(isDone)
    }

    /// Another process has written the file while this one found the older one damaged.
    @Test func aNewerFileIsNotMovedAside() throws {
        defer { clear() }
        try file.write([1])
        let error = #expect(throws: TarmacError.self) {
            try file.read { _ throws(UnusableContent) in
                try? file.write([2])
                throw UnusableContent("is damaged")
            }
        }
        #expect(error?.cause(as: UnusableContent.self) != nil)
        #expect(try file.read() == [2])
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
    }

    @Test func oneDamagedFileIsKeptAndRemovedWithTheFile() throws {
        defer { clear() }
        for content in [[1], [2]] as [[UInt8]] {
            try file.write(content)
            #expect(throws: TarmacError.self) { try file.read { _ throws(UnusableContent) in throw UnusableContent("is damaged") } }
            #expect(FileManager.default.contents(atPath: path + ".damaged").map { [UInt8]($0) } == content)
        }
        try file.remove()
        #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
    }

    @Test func oneWriterAtATimeChangesIt() async throws {
        defer { clear() }
        try file.write([0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { try file.exclusively { try file.write([(try file.read()?.first ?? 0) + 1]) } }
            }
            try await group.waitForAll()
        }
        #expect(try file.read() == [20])
    }
}
