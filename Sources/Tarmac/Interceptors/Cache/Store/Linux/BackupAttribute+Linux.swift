#if !canImport(Darwin)
/// There is none.
enum BackupAttribute {
    static func set(on folder: String) {}
}
#endif
