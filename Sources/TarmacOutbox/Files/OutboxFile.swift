import TarmacCore
import TarmacSupport
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

    /// Copies a file as it is at one time: again if it changes meanwhile, three times at most.
    ///
    /// - Parameter copy: Copies the file, given its length.
    /// - Throws: `TarmacError(.unreadableFile)`, or the error of `copy`.
    static func copying<Value>(_ path: String, _ copy: (_ length: Int64) async throws -> Value) async throws -> Value {
        for _ in 0..<3 {
            let before = try look(at: path)
            let result: Result<Value, any Error>
            do { result = .success(try await copy(before.length)) } catch { result = .failure(error) }
            if try look(at: path).state.isExactly(before.state) { return try result.get() }
            if case .failure(let error as CancellationError) = result { throw error }
        }
        throw TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: it changes while it is copied")
    }

    private static func look(at path: String) throws(TarmacError) -> (state: String, length: Int64) {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let state = FileDescriptor.state(descriptor), let length = FileDescriptor.size(descriptor) else { throw unreadable(path) }
        return (state, length)
    }

    private static func unreadable(_ path: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(FileDescriptor.lastError)")
    }
}
