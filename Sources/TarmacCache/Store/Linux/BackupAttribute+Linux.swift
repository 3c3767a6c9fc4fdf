#if !canImport(Darwin)
/// There is none.
enum BackupAttribute {
    static func set(on path: String, _ isExcluded: Bool) {}
}
#endif
