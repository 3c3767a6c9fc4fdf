import Foundation

/// A file for a download, in the system's temporary folder.
enum FilePlace {
    static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(name)-\(UUID().uuidString)").path
    }

    static func size(_ path: String) -> Int? { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
