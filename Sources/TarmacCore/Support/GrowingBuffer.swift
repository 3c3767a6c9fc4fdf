#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Memory that is filled from the front, doubles when full, and becomes `Bytes` without a copy.
struct GrowingBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    private let ceiling: Int
    private static let alignment = 16

    /// - Parameters:
    ///   - capacity: the first size.
    ///   - ceiling: the size it never grows beyond.
    init(capacity: Int, ceiling: Int) {
        self.ceiling = ceiling
        self.capacity = min(max(capacity, 64), ceiling)
        base = .allocate(byteCount: self.capacity, alignment: Self.alignment)
    }

    deinit {
        base.deallocate()
    }

    /// The part not filled yet.
    var free: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    }

    /// Says that `length` more bytes are filled.
    mutating func fill(_ length: Int) {
        count += length
    }

    /// Doubles when there is room for fewer than `length` bytes; at the ceiling nothing happens.
    mutating func makeRoom(atLeast length: Int = 1) {
        guard capacity - count < length, capacity < ceiling else { return }
        resize(to: capacity > ceiling / 2 ? ceiling : capacity * 2)
    }

    /// What is filled. Memory of which less than half is used is given back first.
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
