import Foundation
import TarmacCore
import TarmacSupport

/// A file for bytes that must not stay in memory. It is removed with its last reference.
///
/// One thread at a time writes it and one reads it. The lock of the owner ensures that.
final class TemporaryFile: Sendable {
    let path: String
    private let isNamed: Bool
    private let writer: Int32
    private let reader: Int32

    /// - Parameter isNamed: `false` for a file that only this object writes and reads. Its name is removed at
    ///   once, and its bytes end with the process.
    /// - Throws: `TarmacError(.unwritableFile)`.
    init(isNamed: Bool = true) throws(TarmacError) {
        self.isNamed = isNamed
        path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        writer = FileDescriptor.create(path)
        guard writer >= 0 else {
            reader = -1
            throw Self.failure("cannot be made")
        }
        reader = FileDescriptor.openForReading(path)
        if !isNamed { FileDescriptor.removeFile(path) }
    }

    deinit {
        if reader >= 0 { FileDescriptor.closeFile(reader) }
        if writer >= 0 { FileDescriptor.closeFile(writer) }
        if isNamed { FileDescriptor.removeFile(path) }
    }

    /// Writes bytes.
    ///
    /// - Throws: `TarmacError(.unwritableFile)`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(TarmacError) {
        guard FileDescriptor.writeAll(writer, from: bytes, at: offset) else { throw Self.failure("cannot be written") }
    }

    /// Reads bytes and returns their number, or 0 at the end.
    ///
    /// - Throws: `TarmacError(.unreadableFile)`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(TarmacError) -> Int {
        let count = FileDescriptor.read(reader, into: buffer, at: offset)
        guard count >= 0 else { throw Self.unreadable(phase: .sending) }
        return count
    }

    /// Returns up to `count` bytes.
    ///
    /// - Throws: `TarmacError(.unreadableFile)`.
    func read(_ count: Int, at offset: Int64) throws(TarmacError) -> Bytes {
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            let count = FileDescriptor.read(reader, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            isRead = count > 0
            size = max(count, 0)
        }
        guard isRead else { throw Self.unreadable(phase: .receiving) }
        return Bytes(bytes)
    }

    private static func unreadable(phase: TarmacError.Phase) -> TarmacError {
        TarmacError(.unreadableFile, phase: phase, "a temporary file cannot be read: \(FileDescriptor.lastError)")
    }

    private static func failure(_ reason: String) -> TarmacError {
        TarmacError(.unwritableFile, "a temporary file \(reason): \(FileDescriptor.lastError)")
    }
}

extension FileDescriptor {
    /// Writes every byte. Returns `false` if it fails.
    static func writeAll(_ descriptor: Int32, from bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = write(descriptor, from: rest, at: offset + Int64(done))
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
