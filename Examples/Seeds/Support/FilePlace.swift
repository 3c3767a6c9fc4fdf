import Foundation

/// Files for transfers, in the system's temporary folder.
public enum FilePlace {
    public static func temporary(_ name: String) -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)-\(name)").path
    }

    /// What stands for a picture; only its length counts.
    public static var jpeg: Data { Data(repeating: 0xFF, count: 20_000) }

    public static func size(_ path: String) -> Int? { (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int }

    public static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
