#if canImport(Darwin)
import Foundation

/// The attribute by which Apple's backups leave a folder out, with all that is in it.
enum BackupAttribute {
    static func set(on folder: String) {
        var url = URL(fileURLWithPath: folder, isDirectory: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? url.setResourceValues(values)
    }
}
#endif
