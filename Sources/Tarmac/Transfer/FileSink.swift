/// A file being written: it takes its name only when it is complete, so a reader never sees half of it.
final class FileSink {
    private let path: String
    /// Where the bytes go meanwhile.
    let partialPath: String
    private var descriptor: Int32 = -1
    private var offset: Int64 = 0

    init(_ path: String, tag: UInt64) {
        self.path = path
        partialPath = "\(path).part-\(tag)-\(UInt32.random(in: .min ... .max))"
    }

    /// Throws `TarmacError(.unwritableFile)`.
    func open() throws(TarmacError) {
        guard FileDescriptor.isReplaceable(path) else {
            throw TarmacError(.unwritableFile, "\"\(path)\" is a folder or a device, and no file can take its place")
        }
        descriptor = FileDescriptor.create(partialPath)
        if descriptor < 0 { throw Self.unwritable(path) }
    }

    func write(_ chunk: Bytes) throws(TarmacError) {
        // The transport may have written a body that an interceptor then replaced.
        if offset == 0, !chunk.isEmpty, !FileDescriptor.empty(descriptor) { throw Self.unwritable(path) }
        try chunk.withUnsafeBytes { pointer throws(TarmacError) in
            var rest = pointer
            while !rest.isEmpty {
                let count = FileDescriptor.write(descriptor, from: rest, at: offset)
                guard count > 0 else { throw Self.unwritable(path) }
                offset += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Gives the file its name, in place of one that may be there.
    func finish() throws(TarmacError) {
        close()
        if FileDescriptor.renameFile(partialPath, to: path) { return }
        // Made first: what is removed next may change what the system says.
        let error = Self.unwritable(path)
        FileDescriptor.removeFile(partialPath)
        throw error
    }

    private func close() {
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
        descriptor = -1
    }

    deinit {
        if descriptor >= 0 {
            close()
            FileDescriptor.removeFile(partialPath)
        }
    }

    private static func unwritable(_ path: String) -> TarmacError {
        TarmacError(.unwritableFile, phase: .receiving, "the file \"\(path)\" cannot be written: \(FileDescriptor.lastError)")
    }
}
