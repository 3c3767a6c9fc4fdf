#if canImport(Darwin)
import Foundation

/// The attribute by which Apple's backups leave a file out, or a folder with all that is in it.
enum BackupAttribute {
    static func set(on path: String, _ isExcluded: Bool) {
        var url = URL(fileURLWithPath: path)
        var values = URLResourceValues()
        values.isExcludedFromBackup = isExcluded
        try? url.setResourceValues(values)
    }
}
#endif
