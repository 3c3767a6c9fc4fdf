#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// What a resumable upload sends: something that can be read from any position, as often as it takes.
public struct UploadSource: Sendable {
    enum Content: Sendable {
        case file(path: String)
        case bytes(Bytes)
    }
    let content: Content
    /// The name the server is told, and the ledger knows.
    let name: String
    let length: Int64
    /// Another file of the same name has another.
    let fingerprint: String

    /// A file, read while it is sent. It must not change until the upload is complete.
    ///
    /// Throws `TarmacError(.unreadableFile)` when there is no readable regular file at `path`.
    public static func file(_ path: String) throws(TarmacError) -> UploadSource {
        guard let found = Self.look(at: path) else { throw unreadable(path, "there is no readable regular file") }
        return UploadSource(content: .file(path: path), name: FilePlace.name(of: path), length: found.length, fingerprint: found.fingerprint)
    }

    /// Bytes in memory, under a name.
    public static func data(_ data: Data, name: String) -> UploadSource {
        let bytes = Bytes(data)
        return UploadSource(content: .bytes(bytes), name: name, length: Int64(bytes.count), fingerprint: Hexadecimal.text(PublicHash.hash(data)))
    }

    /// Throws when the file is no longer the one that was begun with: its parts would not fit together.
    func checkUnchanged() throws(TarmacError) {
        guard case .file(let path) = content else { return }
        guard Self.look(at: path)?.fingerprint == fingerprint else { throw Self.unreadable(path, "it was changed while it was uploaded") }
    }

    /// A part as a stream that can be read again.
    func slice(_ range: Range<Int64>) -> ByteStream {
        switch content {
        case .file(let path): ByteStream.steady { FileSlice(path: path, range) }
        case .bytes(let bytes): ByteStream.steady { FileSlice(bytes, range) }
        }
    }

    private static func look(at path: String) -> (length: Int64, fingerprint: String)? {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { return nil }
        defer { FileDescriptor.closeFile(descriptor) }
        guard let length = FileDescriptor.size(descriptor), let date = FileDescriptor.modified(descriptor) else { return nil }
        return (length, "\(length)-\(date)")
    }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, "the file \"\(path)\" cannot be read: \(reason)")
    }
}
