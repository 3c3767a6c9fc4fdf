#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Memory that is filled from the front, doubles when it is full, and becomes `Bytes` without a copy.
struct GrowingBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    private let ceiling: Int
    private static let alignment = 16

    /// Makes an empty buffer.
    ///
    /// - Parameters:
    ///   - capacity: the initial size in bytes.
    ///   - ceiling: the maximum size in bytes.
    init(capacity: Int, ceiling: Int) {
        self.ceiling = ceiling
        self.capacity = min(max(capacity, 64), ceiling)
        base = .allocate(byteCount: self.capacity, alignment: Self.alignment)
    }

    deinit {
        base.deallocate()
    }

    /// The part that is not filled yet.
    var free: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    }

    /// Marks `length` more bytes as filled.
    mutating func fill(_ length: Int) {
        count += length
    }

    /// Doubles the memory if there is room for fewer than `length` bytes. At the ceiling it does nothing.
    mutating func makeRoom(atLeast length: Int = 1) {
        guard capacity - count < length, capacity < ceiling else { return }
        resize(to: capacity > ceiling / 2 ? ceiling : capacity * 2)
    }

    /// Returns the filled bytes. If less than half of the memory is used, the rest is released first.
    consuming func finish() -> Bytes {
        if count < capacity / 2 { resize(to: count) }
        let bytes = Bytes(Data(bytesNoCopy: base, count: count, deallocator: .custom { base, _ in base.deallocate() }))
        discard self
        return bytes
    }

    private mutating func resize(to newCapacity: Int) {
        let moved = UnsafeMutableRawPointer.allocate(byteCount: newCapacity, alignment: Self.alignment)
        moved.copyMemory(from: base, byteCount: count)
        base.deallocate()
        (base, capacity) = (moved, newCapacity)
    }
}
