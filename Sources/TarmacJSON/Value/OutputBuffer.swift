#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes being written. A class, because encoders hand it from container to container.
///
/// SAFETY: `start` holds `capacity` bytes of which `count` are written. Only this type writes, and only
/// after `reserve` made room.
final class OutputBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 512) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deallocate()
    }

    private var written: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// Makes room for `extra` bytes.
    @inline(__always)
    func reserve(_ extra: Int) {
        if count &+ extra > capacity { grow(extra) }
    }

    @inline(never)
    private func grow(_ extra: Int) {
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.initialize(from: start, count: count)
        start.deallocate()
        start = moved
        capacity = larger
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count &+= 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        (start + count).initialize(from: source, count: bytes.count)
        count &+= bytes.count
    }

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
        count = min(count, position)
    }

    /// Takes the bytes of `range` out; what follows moves up.
    func remove(_ range: Range<Int>) {
        let tail = count - range.upperBound
        (start + range.lowerBound).update(from: start + range.upperBound, count: tail)
        count -= range.count
    }

    /// Runs `body` with what was written; the pointer is valid inside only.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(written) }
    }

    var array: [UInt8] { withBytes { Array($0) } }

    var data: Data { withBytes { Data($0) } }

    var string: String { withBytes { String(decoding: $0, as: UTF8.self) } }
}
