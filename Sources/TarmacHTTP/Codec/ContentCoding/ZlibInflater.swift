internal import CZlib

/// Decodes gzip (RFC 1952) and deflate (RFC 1950, and the raw RFC 1951 that some servers send) with the
/// system's zlib.
///
/// A gzip body may have several members. Bytes after the last member that do not start another one are ignored,
/// as gzip(1) and browsers do. Bytes after a deflate body are ignored too. An empty body is empty in every
/// coding.
final class ZlibInflater: ContentInflater {
    private enum State {
        case atFirstByte
        case inside
        /// A member is complete, and another may follow.
        case betweenMembers
        /// The input ended between members, after a byte that may start the magic number of another member.
        case halfMagic
        case ended
    }

    private static let magic: (first: UInt8, second: UInt8) = (0x1F, 0x8B)

    private let coding: ContentCoding
    private var zlib: ZlibStream?
    private var state = State.atFirstByte

    /// - Parameter coding: `.gzip` or `.deflate`.
    init(_ coding: ContentCoding) {
        self.coding = coding
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep {
        switch state {
        case .atFirstByte:
            guard let first = input.first else { return .idle }
            zlib = try ZlibStream(windowBits: windowBits(first), coding)
            state = .inside
            return try inflate(input, into: output)
        case .inside: return try inflate(input, into: output)
        case .betweenMembers: return try beginMember(input, into: output)
        case .halfMagic: return try completeMagic(input, into: output)
        case .ended: return InflateStep(consumed: input.count)
        }
    }

    func finish() throws(TarmacError) {
        if case .inside = state { throw coding.truncated }
    }

    private func windowBits(_ first: UInt8) -> Int32 {
        if coding == .gzip { return MAX_WBITS + 16 }
        // RFC 1950 §2.2: the first byte names method 8 and a window of at most 32 KiB. A raw deflate block with
        // such a byte would be a stored block with padding bits set, which no compressor writes.
        let isWrapped = first & 0x0F == 8 && first >> 4 <= 7
        return isWrapped ? MAX_WBITS : -MAX_WBITS
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep {
        guard let zlib else { return .idle }
        let (step, isAtEnd) = try zlib.inflate(input, into: output, coding)
        if isAtEnd { state = coding == .gzip ? .betweenMembers : .ended }
        return step
    }

    private func beginMember(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep {
        guard let first = input.first else { return .idle }
        guard first == Self.magic.first else { return end(input) }
        guard input.count > 1 else {
            state = .halfMagic
            return InflateStep(consumed: 1)
        }
        guard input[1] == Self.magic.second else { return end(input) }
        restart()
        return try inflate(input, into: output)
    }

    private func completeMagic(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep {
        guard let first = input.first else { return .idle }
        guard first == Self.magic.second else { return end(input) }
        restart()
        _ = try withUnsafeBytes(of: Self.magic.first) { byte throws(TarmacError) in try inflate(byte, into: output) }
        return try inflate(input, into: output)
    }

    private func restart() {
        zlib?.reset()
        state = .inside
    }

    private func end(_ input: UnsafeRawBufferPointer) -> InflateStep {
        state = .ended
        return InflateStep(consumed: input.count)
    }
}
