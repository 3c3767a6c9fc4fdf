#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes being written. It is a class, because encoders pass it from container to container. Its state is in memory of
/// its own, because the fields of a class cost an exclusivity check for each access.
///
/// SAFETY: `start` holds `capacity` bytes, of which `count` are written. Only this type writes, after `reserve` has made
/// room or after a comparison with `count`; the pointer is only passed to closures.
@safe final class OutputBuffer {
    @unsafe private struct Header {
        var start: UnsafeMutablePointer<UInt8>
        var count = 0
        var capacity: Int
    }

    private let header: UnsafeMutablePointer<Header>

    init(capacity: Int = 512) {
        unsafe header = .allocate(capacity: 1)
        unsafe header.initialize(to: Header(start: .allocate(capacity: capacity), capacity: capacity))
    }

    deinit {
        unsafe header.pointee.start.deallocate()
        unsafe header.deallocate()
    }

    @inline(__always)
    private var start: UnsafeMutablePointer<UInt8> { unsafe header.pointee.start }

    @inline(__always)
    var count: Int { unsafe header.pointee.count }

    // MARK: Writing

    /// Reserves capacity for `extra` bytes.
    @inline(__always)
    func reserve(_ extra: Int) {
        if unsafe count &+ extra > header.pointee.capacity { grow(extra) }
    }

    @inline(never)
    private func grow(_ extra: Int) {
        let larger = unsafe max(header.pointee.capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe moved.initialize(from: start, count: count)
        unsafe start.deallocate()
        unsafe header.pointee.start = moved
        unsafe header.pointee.capacity = larger
    }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        unsafe start[count] = byte
        unsafe header.pointee.count &+= 1
    }

    @inline(__always)
    func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let source = bytes.baseAddress else { return }
            reserve(bytes.count)
            unsafe (start + count).initialize(from: source, count: bytes.count)
            unsafe header.pointee.count &+= bytes.count
        }
    }

    @inline(__always)
    func append(_ text: StaticString) {
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ text: String) {
        text.withText { append($0) }
    }

    func append(repeating byte: UInt8, count: Int) {
        for _ in 0..<count { append(byte) }
    }

    /// Appends `count` zeros to be overwritten; returns the place of the first.
    @inline(__always)
    func extend(by extra: Int) -> Int {
        precondition(extra >= 0, "a buffer is not shortened so")
        reserve(extra)
        let place = count
        unsafe (start + place).initialize(repeating: 0, count: extra)
        unsafe header.pointee.count &+= extra
        return place
    }

    @inline(__always)
    subscript(place: Int) -> UInt8 {
        get {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such byte")
            return unsafe start[place]
        }
        set {
            precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "no such byte")
            unsafe start[place] = newValue
        }
    }

    /// Removes the bytes from `position` on.
    func truncate(to position: Int) {
        precondition(position >= 0, "no such byte")
        unsafe header.pointee.count = min(count, position)
    }

    // MARK: Reading

    /// Calls `body` with the written bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try unsafe body(Span(_unsafeStart: start, count: count)) }
    }

    var array: [UInt8] { withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Array($0) } } }

    var data: Data { withBytes { unsafe $0.withUnsafeBufferPointer { unsafe Data($0) } } }

    var string: String { withBytes { String($0) } }
}
