@_spi(TarmacRooms) import TarmacCore

/// Reads the file of an ``OutboxFileWriter`` with sealed pieces, one at a time.
final class SealedFileSource: ByteStreamSource {
    private struct State {
        var descriptor: Int32 = -1
        var offset: Int64 = 0
        var number = 0
        /// The number of bytes of the body that are left.
        var rest: Int64
    }
    private let path: String
    private let open: @Sendable (_ sealed: Bytes, _ number: Int) throws -> Bytes
    private let state: Locked<State>
    /// The longest sealed piece: a sealer adds a nonce, a tag and the name of a key.
    private static let longest = OutboxFileWriter.pieceSize * 2

    /// - Parameters:
    ///   - size: The size of the body. If it turns out to be different, it throws `TarmacError(.decryptionFailed)`.
    ///   - open: Opens a piece with its number.
    init(_ path: String, size: Int64, open: @escaping @Sendable (_ sealed: Bytes, _ number: Int) throws -> Bytes) {
        self.path = path
        self.open = open
        state = Locked(State(rest: size))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    func next() async throws -> Bytes? {
        guard let (sealed, number, wanted) = try state.withLock({ try readPiece(&$0) }) else { return nil }
        let piece = try open(sealed, number)
        guard piece.count == wanted else { throw damaged("a piece of it has \(piece.count) bytes where \(wanted) were sealed") }
        return piece
    }

    private func readPiece(_ state: inout State) throws -> (Bytes, number: Int, wanted: Int)? {
        if state.rest == 0 { return nil }
        if state.descriptor < 0 { state.descriptor = FileDescriptor.openWithoutFollowing(path) }
        guard state.descriptor >= 0 else { throw damaged(FileDescriptor.lastError) }
        let length = try read(4, &state).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard (0...Self.longest).contains(length) else { throw damaged("a piece of it says that it has \(length) bytes") }
        let sealed = try read(length, &state)
        let wanted = Int(min(state.rest, Int64(OutboxFileWriter.pieceSize)))
        defer {
            state.rest -= Int64(wanted)
            state.number += 1
        }
        return (Bytes(sealed), state.number, wanted)
    }

    private func read(_ count: Int, _ state: inout State) throws -> [UInt8] {
        var filled = 0
        var bytes = [UInt8](repeating: 0, count: count)
        while filled < count {
            let read = bytes.withUnsafeMutableBytes {
                FileDescriptor.read(state.descriptor, into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: state.offset)
            }
            guard read > 0 else { throw damaged(read == 0 ? "it ends early" : FileDescriptor.lastError) }
            filled += read
            state.offset += Int64(read)
        }
        return bytes
    }

    private func damaged(_ reason: String) -> TarmacError {
        TarmacError(.decryptionFailed, phase: .sending, "the sealed file \"\(path)\" cannot be read: \(reason)")
    }
}
