#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes being written. A class, because encoders hand it from container to container; its state lies
/// behind a pointer, because a class's own fields pay for an exclusivity check on each access.
///
/// SAFETY: `start` holds `capacity` bytes of which `count` are written. Only this type writes, and only
/// after `reserve` made room.
final class OutputBuffer {
    private struct Header {
        var start: UnsafeMutablePointer<UInt8>
        var count = 0
        var capacity: Int
    }

    private let header: UnsafeMutablePointer<Header>

    init(capacity: Int = 512) {
        header = .allocate(capacity: 1)
        header.initialize(to: Header(start: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        header.pointee.start.deallocate()
        header.deallocate()
    }

    @inline(__always)
    var start: UnsafeMutablePointer<UInt8> { header.pointee.start }

    @inline(__always)
    var count: Int { header.pointee.count }

    private var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Makes room for `extra` bytes.
    @inline(__always)
    func reserve(_ extra: Int) {
        if count &+ extra > header.pointee.capacity { grow(extra) }
    }

    @inline(never)
    private func grow(_ extra: Int) {
        let larger = max(header.pointee.capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.initialize(from: start, count: count)
        start.deallocate()
        header.pointee.start = moved
        header.pointee.capacity = larger
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        header.pointee.count &+= 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).initialize(from: source, count: bytes.count)
        header.pointee.count &+= bytes.count
    }

    @inline(__always)
    func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    func append(repeating byte: UInt8, count: Int) {
        for _ in 0..<count { append(byte) }
    }

    /// Forgets what was written from `position` on.
    func truncate(to position: Int) {
        header.pointee.count = min(count, position)
    }

    /// Takes the bytes of `range` out; what follows moves up.
    func remove(_ range: Range<Int>) {
        let tail = count - range.upperBound
        (start + range.lowerBound).update(from: start + range.upperBound, count: tail)
        header.pointee.count -= range.count
    }

    /// Runs `body` with what was written; the pointer is valid inside only.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(written) }
    }

    var array: [UInt8] { withBytes { Array($0) } }

    var data: Data { withBytes { Data($0) } }

    var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
