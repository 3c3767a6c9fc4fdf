@_spi(TarmacRooms) import TarmacCore

/// A request body that the session's thread reads from its first byte to its last.
protocol BodySource: AnyObject {
    /// Fills the buffer with at least one byte, or returns 0 at the end. Throws if the body cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

enum BodySources {
    /// Returns a reader of the body from its first byte, or `nil` if there is no body.
    static func open(_ body: RestingBody) -> (any BodySource)? {
        switch body {
        case .none: nil
        case .bytes(let bytes): BytesBodySource(bytes)
        case .file(let path, _): FileBodySource(path: path)
        case .temporary(let file, _): TemporaryBodySource(file)
        case .steady(let stream, _): SteadyBodySource(stream)
        }
    }
}

/// Bytes in memory, which are copied into the buffer of the reader.
final class BytesBodySource: BodySource {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let range = offset..<min(offset + buffer.count, bytes.count)
        bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[range])) }
        offset = range.upperBound
        return range.count
    }
}

/// A temporary file, which may no longer have a name.
final class TemporaryBodySource: BodySource {
    private let file: TemporaryFile
    private var offset: Int64 = 0

    init(_ file: TemporaryFile) { self.file = file }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try file.read(into: buffer, at: offset)
        offset += Int64(count)
        return count
    }
}

/// A stream that never waits.
final class SteadyBodySource: BodySource {
    private let source: any ByteStreamSource

    init(_ stream: ByteStream) { source = stream.makeSource() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try (source as? any SteadySource)?.read(into: buffer) ?? 0 }
}

/// A file that the first read opens.
final class FileBodySource: BodySource {
    private let path: String
    private var descriptor: Int32?
    private var offset: Int64 = 0

    init(path: String) { self.path = path }

    deinit {
        if let descriptor { FileDescriptor.closeFile(descriptor) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let descriptor = try self.descriptor ?? open()
        let count = FileDescriptor.read(descriptor, into: buffer, at: offset)
        guard count >= 0 else { throw unreadable() }
        offset += Int64(count)
        return count
    }

    private func open() throws(TarmacError) -> Int32 {
        let descriptor = FileDescriptor.openForReading(path)
        guard descriptor >= 0 else { throw unreadable() }
        self.descriptor = descriptor
        return descriptor
    }

    private func unreadable() -> TarmacError {
        TarmacError(.unreadableFile, phase: .sending, "the file \"\(path)\" cannot be read: \(FileDescriptor.lastError)")
    }
}
