import TarmacCore
import TarmacDigest

/// Computes the digest of a file or a part of it, piece by piece.
struct FileDigest: Sendable {
    private static let pieceSize = 1 << 18
    let digesters: Digesters

    /// Throws `.digestMismatch` if the digest of the bytes is not the expected one.
    func check(_ file: PartialFile, _ range: Range<Int64>, against expected: ExpectedDigest, of whom: String) async throws {
        let found = try await digest(expected.algorithm, range) { try file.read(into: $0, at: $1) }
        guard found != expected.bytes else { return }
        throw TransferFault(
            TarmacError(
                .digestMismatch, phase: .receiving,
                "the file has the \(expected.algorithm.rawValue) \(Hexadecimal.text(found)), and \(whom) says \(Hexadecimal.text(expected.bytes))",
                suggestion: "download it again; if it stays so, it is another file"))
    }

    /// Returns the digest of a range. The state lives in an object, and the function is not optimised, because the
    /// optimiser of Swift 6.3 crashes while it splits the coroutine.
    ///
    /// - Parameter read: Fills the buffer from a position; returns 0 at the end.
    @_optimize(none)
    func digest(
        _ algorithm: DigestAlgorithm, _ range: Range<Int64>, read: (UnsafeMutableRawBufferPointer, Int64) throws -> Int
    ) async throws -> [UInt8] {
        let pass = DigestPass(digesters.make(algorithm), pieceSize: Self.pieceSize)
        var offset = range.lowerBound
        while offset < range.upperBound {
            // A gigabyte takes seconds: the task yields to others, and a cancelled call ends.
            try Task.checkCancellation()
            await Task.yield()
            let count = try pass.add(upTo: range.upperBound - offset, at: offset, read)
            guard count > 0 else { break }
            offset += Int64(count)
        }
        return pass.finish()
    }
}

/// The state of a digest over a file, and the buffer for its pieces.
private final class DigestPass {
    private var digester: any Digester
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ digester: any Digester, pieceSize: Int) {
        self.digester = digester
        buffer = .allocate(byteCount: pieceSize, alignment: 16)
    }

    deinit { buffer.deallocate() }

    /// Adds one piece; returns its number of bytes.
    func add(upTo length: Int64, at offset: Int64, _ read: (UnsafeMutableRawBufferPointer, Int64) throws -> Int) throws -> Int {
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(Int64(buffer.count), length))])
        let count = try read(room, offset)
        if count > 0 { digester.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])) }
        return count
    }

    func finish() -> [UInt8] { digester.finish() }
}
