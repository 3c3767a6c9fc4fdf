import TarmacCore
import TarmacTransfer

/// Reads a file whose content an entry stores, because the file may no longer exist when the entry is sent.
enum OutboxFile {
    /// Returns the content of a file, at most `limit` bytes.
    ///
    /// - Throws: `TarmacError(.unreadableFile)`.
    static func content(of path: String, upTo limit: Int) throws(TarmacError) -> Bytes {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { FileDescriptor.closeFile(descriptor) }
        var content: [UInt8] = []
        while content.count < limit {
            var count = 0
            let piece = [UInt8](unsafeUninitializedCapacity: min(limit - content.count, FileSlice.pieceSize)) { buffer, initialized in
                count = FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: Int64(content.count))
                initialized = max(0, count)
            }
            if count < 0 { throw unreadable(path) }
            if count == 0 { break }
            content += piece
        }
        return Bytes(content)
    }

    private static func unreadable(_ path: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(FileDescriptor.lastError)")
    }
}
