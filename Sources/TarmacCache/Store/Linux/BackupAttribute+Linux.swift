#if !canImport(Darwin)
/// This platform has no such attribute.
enum BackupAttribute {
    static func set(on path: String, _ isExcluded: Bool) {}
}
#endif
