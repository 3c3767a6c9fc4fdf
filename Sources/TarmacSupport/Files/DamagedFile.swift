@_spi(TarmacRooms) import TarmacCore

/// A file that cannot be used, for its developer to look at. The last one is kept.
package enum DamagedFile {
    /// Renames a file that was read, and cuts it off after `limit` bytes. It replaces the file at `place`.
    ///
    /// - Parameter descriptor: the file that was read. If another process has replaced it since, the newer file stays.
    /// - Returns: the new path. `nil` if the file cannot be renamed, or is not there any more.
    package static func moveAside(_ path: String, _ descriptor: Int32, to place: String, keeping limit: Int) -> String? {
        guard FileDescriptor.isFile(descriptor, at: path), FileDescriptor.renameFile(path, to: place) else { return nil }
        // It was replaced in between: the name goes back to the newer file, unless there is one that is newer still.
        if !FileDescriptor.isFile(descriptor, at: place) {
            if FileDescriptor.isMissing(path) { _ = FileDescriptor.renameFile(place, to: path) }
            return nil
        }
        cutOff(place, limit)
        return place
    }

    private static func cutOff(_ path: String, _ limit: Int) {
        let file = FileDescriptor.openForUpdate(path)
        guard file >= 0 else { return }
        defer { FileDescriptor.closeFile(file) }
        if let size = FileDescriptor.size(file), size > limit { _ = FileDescriptor.truncate(file, to: Int64(limit)) }
    }
}
