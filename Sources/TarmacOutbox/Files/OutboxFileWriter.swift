import TarmacCore
import TarmacSupport
import TarmacTransfer

/// Writes the body of one entry in pieces, sealed if there is a sealer. If it is released before the end, it leaves no
/// file.
final class OutboxFileWriter {
    private let part: String
    private let descriptor: Int32
    private let room: Int64
    private let full: TarmacError
    private let seal: ((_ piece: Bytes, _ number: Int) throws -> Bytes)?
    /// The bytes of an incomplete piece, if pieces are sealed.
    private var pending: [UInt8] = []
    private var pieces = 0
    private var size: Int64 = 0
    private var offset: Int64 = 0
    private var isFinished = false

    /// The size of a sealed piece in bytes.
    static let pieceSize = 1 << 20

    /// - Parameters:
    ///   - part: The path of the file.
    ///   - room: The largest size of the body in bytes; a larger one throws `full`.
    ///   - seal: Seals a piece with its number.
    /// - Throws: `TarmacError(.unwritableFile)`.
    init(_ part: String, room: Int64, full: TarmacError, seal: ((_ piece: Bytes, _ number: Int) throws -> Bytes)?) throws(TarmacError) {
        (self.part, self.room, self.full, self.seal) = (part, room, full, seal)
        descriptor = FileDescriptor.create(part)
        if descriptor < 0 { throw Self.unwritable(part) }
    }

    deinit {
        FileDescriptor.closeFile(descriptor)
        if !isFinished { FileDescriptor.removeFile(part) }
    }

    func append(_ chunk: Bytes) throws {
        size += Int64(chunk.count)
        guard size <= room else { throw full }
        guard seal != nil else { return try chunk.withUnsafeBytes { try write($0) } }
        chunk.withUnsafeBytes { pending.append(contentsOf: $0) }
        while pending.count >= Self.pieceSize {
            try sealPiece(Bytes(Array(pending.prefix(Self.pieceSize))))
            pending.removeFirst(Self.pieceSize)
        }
    }

    /// Completes the file and gives it its name.
    func finish() throws -> OutboxMutation.File {
        if !pending.isEmpty { try sealPiece(Bytes(pending)) }
        try OutboxFolder.publish(part)
        isFinished = true
        return OutboxMutation.File(size: size, isSealed: seal != nil)
    }

    /// Writes a sealed piece after its length in four bytes.
    private func sealPiece(_ piece: Bytes) throws {
        guard let sealed = try seal?(piece, pieces) else { return }
        pieces += 1
        try withUnsafeBytes(of: UInt32(sealed.count).littleEndian) { try write($0) }
        try sealed.withUnsafeBytes { try write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard FileDescriptor.writeAll(descriptor, from: bytes, at: &offset) else { throw Self.unwritable(part) }
    }

    /// Returns the error for the last failed operation of this thread.
    static func unwritable(_ part: String) -> TarmacError {
        if FileDescriptor.isOutOfSpace { return TarmacError(.insufficientSpace, "there is no room for the file \"\(part)\"") }
        return TarmacError(.unwritableFile, "the file \"\(part)\" cannot be written: \(FileDescriptor.lastError)")
    }
}
