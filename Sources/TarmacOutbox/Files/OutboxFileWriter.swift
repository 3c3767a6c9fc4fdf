import TarmacCore

/// Writes the body of one entry, piece by piece, sealed if there is a sealer. Dropped before its end it leaves nothing.
final class OutboxFileWriter {
    private let part: String
    private let descriptor: Int32
    private let room: Int64
    private let full: TarmacError
    private let seal: ((_ piece: Bytes, _ number: Int) throws -> Bytes)?
    /// What has not made a piece yet, where pieces are sealed.
    private var pending: [UInt8] = []
    private var pieces = 0
    private var size: Int64 = 0
    private var offset: Int64 = 0
    private var isFinished = false

    /// How much is sealed at once.
    static let pieceSize = 1 << 20

    /// - Parameters:
    ///   - part: where it is written.
    ///   - room: how many bytes the body may have, beyond which `full` is thrown.
    ///   - seal: seals a piece, given its number.
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

    /// Ends the file, which has its own name then.
    func finish() throws -> OutboxMutation.File {
        if !pending.isEmpty { try sealPiece(Bytes(pending)) }
        try OutboxFolder.publish(part)
        isFinished = true
        return OutboxMutation.File(size: size, isSealed: seal != nil)
    }

    /// Its length first, in four bytes.
    private func sealPiece(_ piece: Bytes) throws {
        guard let sealed = try seal?(piece, pieces) else { return }
        pieces += 1
        try withUnsafeBytes(of: UInt32(sealed.count).littleEndian) { try write($0) }
        try sealed.withUnsafeBytes { try write($0) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = FileDescriptor.write(descriptor, from: rest, at: offset)
            guard count > 0 else { throw Self.unwritable(part) }
            offset += Int64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// What the last failed operation on this thread means.
    static func unwritable(_ part: String) -> TarmacError {
        if FileDescriptor.isOutOfSpace { return TarmacError(.insufficientSpace, "there is no room for the file \"\(part)\"") }
        return TarmacError(.unwritableFile, "the file \"\(part)\" cannot be written: \(FileDescriptor.lastError)")
    }
}
