#if canImport(Darwin)
import Foundation

/// The attribute that excludes a file, or a folder with its content, from Apple's backups.
enum BackupAttribute {
    static func set(on path: String, _ isExcluded: Bool) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcluded
        try? url.setResourceValues(values)
    }
}
#endif
