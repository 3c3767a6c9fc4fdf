import Foundation
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacSupport

@Suite struct FileDescriptorTests {
    /// Only the file system counts. A file may lack the permission to write, or be missing, on a volume that can be written to.
    @Test func aFileThatCannotBeWrittenIsNotOnAReadOnlyVolumeForThat() throws {
        let path = NSTemporaryDirectory() + "volume-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(!FileDescriptor.isOnReadOnlyVolume(path))
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        #expect(!FileDescriptor.isOnReadOnlyVolume(path))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        #expect(!FileDescriptor.isOnReadOnlyVolume(path))
    }
}
