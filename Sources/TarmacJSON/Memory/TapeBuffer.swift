#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A growing buffer of tape words outside Swift's arrays, because `realloc` moves pages instead of copying them, and
/// releases unused capacity.
///
/// SAFETY: `words` has room for `capacity` words, of which the first `count` are written; every access compares its
/// place with one of them. The holder of the last copy calls ``free()``: `DocumentStorage` after a success, the
/// indexer's caller after a failure.
@safe struct TapeBuffer: @unchecked Sendable {
    private var words: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        unsafe words = Self.allocated(malloc(capacity * 8))
    }

    @inline(__always)
    mutating func append(_ word: UInt64) {
        precondition(count < capacity, "a tape without room")
        unsafe words[count] = word
        count &+= 1
    }

    @inline(__always)
    subscript(index: Int) -> UInt64 {
        get {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
            return unsafe words[index]
        }
        nonmutating set {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such word")
            unsafe words[index] = newValue
        }
    }

    /// Returns the same words with capacity for `capacity` of them; this copy must not be used any more.
    @inline(never)
    func resized(to capacity: Int) -> TapeBuffer {
        var copy = self
        copy.capacity = max(capacity, count, 1)
        unsafe copy.words = Self.allocated(realloc(words, copy.capacity * 8))
        return copy
    }

    func free() {
        #if canImport(Darwin)
        unsafe Darwin.free(words)
        #elseif canImport(Glibc)
        unsafe Glibc.free(words)
        #elseif canImport(Musl)
        unsafe Musl.free(words)
        #elseif canImport(Android)
        unsafe Android.free(words)
        #endif
    }

    /// Returns the words for readers, valid as long as `text` exists and the buffer is not resized or freed.
    func tape(over text: Span<UInt8>) -> Tape {
        unsafe text.withUnsafeBufferPointer { unsafe Tape(bytes: $0, words: UnsafePointer(words), count: count) }
    }

    private static func allocated(_ block: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt64> {
        // Only if the system has no memory left, where every allocation of Swift ends the process as well.
        guard let block = unsafe block else { fatalError("out of memory for the JSON tape") }
        return unsafe block.assumingMemoryBound(to: UInt64.self)
    }
}
