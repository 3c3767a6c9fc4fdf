#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that is removed when the value is released.
final class TemporaryFile: Sendable {
    let path: String

    init(_ content: Data) throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try content.write(to: URL(filePath: path))
    }

    deinit { remove() }

    var content: Data? { FileManager.default.contents(atPath: path) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
