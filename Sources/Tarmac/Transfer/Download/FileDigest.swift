/// Hashes a file, or a part of it, a piece at a time.
struct FileDigest: Sendable {
    private static let pieceSize = 1 << 18
    let digesters: Digesters

    /// Throws `.digestMismatch` when the bytes are others than expected.
    func check(_ file: PartialFile, _ range: Range<Int64>, against expected: ExpectedDigest, of whom: String) async throws {
        let found = try await digest(expected.algorithm, range) { buffer, offset throws(TarmacError) in try file.read(into: buffer, at: offset) }
        guard found != expected.bytes else { return }
        throw TransferFault(
            TarmacError(
                .digestMismatch, phase: .receiving,
                "the file has the \(expected.algorithm.rawValue) \(Hexadecimal.text(found)), and \(whom) says \(Hexadecimal.text(expected.bytes))",
                suggestion: "download it again; if it stays so, it is another file"))
    }

    /// - Parameter read: fills the buffer from a position; 0 at the end.
    func digest(
        _ algorithm: DigestAlgorithm, _ range: Range<Int64>, read: (UnsafeMutableRawBufferPointer, Int64) throws(TarmacError) -> Int
    ) async throws -> [UInt8] {
        var digester = digesters.make(algorithm)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            // A gigabyte takes seconds: others have their turn, and a cancelled call ends.
            try Task.checkCancellation()
            await Task.yield()
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), range.upperBound - offset))])
            let count = try read(room, offset)
            guard count > 0 else { break }
            digester.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]))
            offset += Int64(count)
        }
        return digester.finish()
    }
}
