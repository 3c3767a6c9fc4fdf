@_spi(TarmacRooms) package import TarmacCore

/// A part of a file or of bytes, which is read in pieces while it is sent.
package final class FileSlice: SteadySource {
    package static let pieceSize = 256 * 1024

    fileprivate enum Content {
        /// Bytes that are passed on in one piece.
        case whole(Bytes)
        case bytes(Bytes)
        case closed(path: String)
        case open(path: String, Int32)
    }
    fileprivate struct State {
        var content: Content
        var rest: Range<Int64>
    }
    private let state: Locked<State>

    /// - Parameter range: a range within the file. If the file has become shorter, reading throws
    ///   `TarmacError(.unreadableFile)`.
    package init(path: String, _ range: Range<Int64>) { state = Locked(State(content: .closed(path: path), rest: range)) }
    package init(_ bytes: Bytes) { state = Locked(State(content: .whole(bytes), rest: 0..<Int64(bytes.count))) }
    /// - Parameter range: a range within the bytes, which are copied one piece at a time.
    package init(_ bytes: Bytes, _ range: Range<Int64>) { state = Locked(State(content: .bytes(bytes), rest: range)) }

    deinit { if case .open(_, let descriptor) = state.withLock({ $0.content }) { FileDescriptor.closeFile(descriptor) } }

    package func next() async throws -> Bytes? { try state.withLock { try $0.next() } }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try state.withLock { try $0.read(into: buffer) } }

    /// Returns a part of a file as a body that can be sent again.
    static func body(path: String, _ range: Range<Int64>, contentType: String) -> Body {
        .stream(ByteStream.steady { FileSlice(path: path, range) }, length: Int64(range.count), isReplayable: true, contentType: contentType)
    }
}

extension FileSlice.State {
    fileprivate mutating func next() throws(TarmacError) -> Bytes? {
        if rest.isEmpty { return nil }
        if case .whole(let bytes) = content {
            rest = rest.upperBound..<rest.upperBound
            return bytes
        }
        var result = Result<Int, TarmacError>.success(0)
        let bytes = [UInt8](unsafeUninitializedCapacity: min(rest.count, FileSlice.pieceSize)) { buffer, initialized in
            do throws(TarmacError) { initialized = try read(into: UnsafeMutableRawBufferPointer(buffer)) } catch { result = .failure(error) }
        }
        _ = try result.get()
        return Bytes(bytes)
    }

    fileprivate mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(TarmacError) -> Int {
        if rest.isEmpty { return 0 }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(rest.count, buffer.count)])
        let count: Int
        switch content {
        case .whole(let bytes), .bytes(let bytes):
            count = room.count
            let start = Int(rest.lowerBound)
            bytes.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count])) }
        case .closed(let path):
            let descriptor = FileDescriptor.openForReading(path)
            guard descriptor >= 0 else { throw Self.unreadable(path, FileDescriptor.lastError) }
            content = .open(path: path, descriptor)
            return try read(into: buffer)
        case .open(let path, let descriptor):
            count = FileDescriptor.read(descriptor, into: room, at: rest.lowerBound)
            guard count > 0 else { throw Self.unreadable(path, count == 0 ? "it has become shorter while it was sent" : FileDescriptor.lastError) }
        }
        rest = rest.lowerBound + Int64(count)..<rest.upperBound
        return count
    }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, phase: .sending, "the file \"\(path)\" cannot be read: \(reason)")
    }
}
