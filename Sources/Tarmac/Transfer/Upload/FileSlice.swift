/// A part of a file, or bytes, read a piece at a time while it is sent.
final class FileSlice: ByteStreamSource {
    static let pieceSize = 256 * 1024

    fileprivate enum Content {
        case bytes(Bytes?)
        case closed(path: String)
        case open(path: String, Int32)
    }
    fileprivate struct State {
        var content: Content
        var rest: Range<Int64>
    }
    private let state: Locked<State>

    /// - Parameter range: must lie within the file; one that became shorter meanwhile is `TarmacError(.unreadableFile)`.
    init(path: String, _ range: Range<Int64>) { state = Locked(State(content: .closed(path: path), rest: range)) }
    init(_ bytes: Bytes) { state = Locked(State(content: .bytes(bytes), rest: 0..<0)) }

    deinit { if case .open(_, let descriptor) = state.withLock({ $0.content }) { FileDescriptor.closeFile(descriptor) } }

    func next() async throws -> Bytes? { try state.withLock { try $0.next() } }

    /// A part of a file as a body that can be sent again.
    static func body(path: String, _ range: Range<Int64>, contentType: String) -> Body {
        .stream(ByteStream { FileSlice(path: path, range) }, length: Int64(range.count), isReplayable: true, contentType: contentType)
    }
}

extension FileSlice.State {
    fileprivate mutating func next() throws(TarmacError) -> Bytes? {
        switch content {
        case .bytes(let bytes):
            content = .bytes(nil)
            return bytes
        case .closed(let path):
            if rest.isEmpty { return nil }
            let descriptor = FileDescriptor.openForReading(path)
            guard descriptor >= 0 else { throw Self.unreadable(path, FileDescriptor.lastError) }
            content = .open(path: path, descriptor)
            return try read(path, descriptor)
        case .open(let path, let descriptor): return try read(path, descriptor)
        }
    }

    private mutating func read(_ path: String, _ descriptor: Int32) throws(TarmacError) -> Bytes? {
        if rest.isEmpty { return nil }
        let wanted = min(rest.count, FileSlice.pieceSize)
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            count = FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: rest.lowerBound)
            initialized = max(0, count)
        }
        guard count > 0 else { throw Self.unreadable(path, count == 0 ? "it has become shorter while it was sent" : FileDescriptor.lastError) }
        rest = rest.lowerBound + Int64(count)..<rest.upperBound
        return Bytes(bytes)
    }

    private static func unreadable(_ path: String, _ reason: String) -> TarmacError {
        TarmacError(.unreadableFile, phase: .sending, "the file \"\(path)\" cannot be read: \(reason)")
    }
}
