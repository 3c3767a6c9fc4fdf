@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Reads a range of the file of an ``OutboxFileWriter`` with sealed pieces, one piece at a time.
final class SealedFileSource: SteadySource {
    private struct State {
        var descriptor: Int32 = -1
        var offset: Int64 = 0
        var number = 0
        /// The number of bytes of the body from this piece on.
        var rest: Int64
        /// The bytes of the range that are left.
        var range: Range<Int64>
        /// The part of a piece that has been opened and not read.
        var opened: Bytes = .empty
        var read = 0
    }
    private let path: String
    private let open: @Sendable (_ sealed: Bytes, _ number: Int) throws -> Bytes
    private let state: Locked<State>
    /// The longest sealed piece: a sealer adds a nonce, a tag and the name of a key.
    private static let longest = OutboxFileWriter.pieceSize * 2

    /// - Parameters:
    ///   - size: The size of the body. If it turns out to be different, it throws `TarmacError(.decryptionFailed)`.
    ///   - open: Opens a piece with its number.
    ///   - range: The bytes of the body to read. Default: all. Pieces before it are skipped unopened.
    init(_ path: String, size: Int64, range: Range<Int64>? = nil, open: @escaping @Sendable (_ sealed: Bytes, _ number: Int) throws -> Bytes) {
        self.path = path
        self.open = open
        state = Locked(State(rest: size, range: range ?? 0..<size))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { FileDescriptor.closeFile(descriptor) }
    }

    func next() async throws -> Bytes? { try nextPart() }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        if state.withLock({ $0.read == $0.opened.count }) {
            guard let part = try nextPart() else { return 0 }
            state.withLock { ($0.opened, $0.read) = (part, 0) }
        }
        return state.withLock { state in
            let part = state.read..<min(state.read + buffer.count, state.opened.count)
            state.opened.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
            state.read = part.upperBound
            return part.count
        }
    }

    /// Returns the part of the next piece that belongs to the range.
    private func nextPart() throws -> Bytes? {
        guard let sealed = try state.withLock({ try readPiece(&$0) }) else { return nil }
        let piece = try open(sealed.bytes, sealed.number)
        guard piece.count == sealed.size else { throw damaged("a piece of it has \(piece.count) bytes where \(sealed.size) were sealed") }
        return sealed.part.count == sealed.size ? piece : Bytes(Array(piece.array[sealed.part]))
    }

    private struct SealedPiece {
        var bytes: Bytes
        var number: Int
        /// The size of the piece in bytes once it is opened, and the part of it that belongs to the range.
        var size: Int
        var part: Range<Int>
    }

    private func readPiece(_ state: inout State) throws -> SealedPiece? {
        if state.range.isEmpty { return nil }
        if state.descriptor < 0 { state.descriptor = FileDescriptor.openWithoutFollowing(path) }
        guard state.descriptor >= 0 else { throw damaged(FileDescriptor.lastError) }
        while state.rest > 0 {
            let length = try read(4, &state).reversed().reduce(0) { $0 << 8 | Int($1) }
            guard (0...Self.longest).contains(length) else { throw damaged("a piece of it says that it has \(length) bytes") }
            let size = Int(min(state.rest, Int64(OutboxFileWriter.pieceSize))), start = Int64(state.number) * Int64(OutboxFileWriter.pieceSize)
            defer {
                state.rest -= Int64(size)
                state.number += 1
            }
            guard start + Int64(size) > state.range.lowerBound else {
                state.offset += Int64(length)
                continue
            }
            let end = min(state.range.upperBound, start + Int64(size))
            let part = Int(state.range.lowerBound - start)..<Int(end - start)
            state.range = end..<state.range.upperBound
            return SealedPiece(bytes: Bytes(try read(length, &state)), number: state.number, size: size, part: part)
        }
        return nil
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
