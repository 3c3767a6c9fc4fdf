import Foundation

/// A place for a file, which goes with the value.
final class TransferFile: Sendable {
    let path: String

    init() throws { path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var text: String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }
}
