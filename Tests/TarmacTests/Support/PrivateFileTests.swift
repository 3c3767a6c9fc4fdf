import Foundation
import Testing

import Tarmac
@testable import TarmacCore
import TarmacSupport

@Suite("Private file")
struct PrivateFileTests {
    private let path = NSTemporaryDirectory() + "private-\(UUID().uuidString)"
    private var file: PrivateFile<TarmacError> { PrivateFile(path, maximumSize: 4) { TarmacError(.storeFailed, "the file \($0)") } }
    private func clear() { for path in [path, path + ".lock"] { try? FileManager.default.removeItem(atPath: path) } }

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
