#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A growing run of tape words outside Swift's arrays, because `realloc` moves pages instead of
/// copying them and gives back what was reserved in vain.
///
/// Whoever holds the last copy calls ``free()``: `DocumentStorage` after a success, the indexer's
/// caller after a failure.
struct TapeBuffer {
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        words = Self.allocated(malloc(capacity * 8))
    }

    /// Doubles the room; `words` changes.
    mutating func grow() {
        resize(to: capacity * 2)
    }

    /// Returns the unused tail to the allocator when it is worth the call.
    mutating func trim(to count: Int) {
        if capacity > count + count / 8 + 16 { resize(to: max(count, 1)) }
    }

    func free() {
        #if canImport(Darwin)
        Darwin.free(words)
        #elseif canImport(Glibc)
        Glibc.free(words)
        #elseif canImport(Musl)
        Musl.free(words)
        #elseif canImport(Android)
        Android.free(words)
        #endif
    }

    private mutating func resize(to newCapacity: Int) {
        words = Self.allocated(realloc(words, newCapacity * 8))
        capacity = newCapacity
    }

    private static func allocated(_ block: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt64> {
        // Only when the system has no memory left, where every allocation of Swift's own ends the process as well.
        guard let block else { fatalError("out of memory for the JSON tape") }
        return block.assumingMemoryBound(to: UInt64.self)
    }
}
