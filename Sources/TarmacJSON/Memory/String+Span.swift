/// Conversions between `String` and `Span`: those of the standard library need Apple's systems of 2025 and later.
extension String {
    /// Calls `body` with the text in UTF-8.
    ///
    /// SAFETY: the span is of the buffer that `withUTF8` passes, and `body` cannot keep it.
    @inline(__always)
    func withText<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        var text = self
        return try text.withUTF8 { try unsafe body(Span(_unsafeElements: $0)) }
    }

    /// Feeds the text in UTF-8 to `hasher`.
    @inline(__always)
    func hashText(into hasher: inout Hasher) {
        withText { text in unsafe text.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
    }

    /// Returns a copy of `text`, with invalid UTF-8 repaired.
    @inline(__always)
    init(_ text: Span<UInt8>) {
        self = unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text that `write` creates, at most `capacity` bytes.
    @inline(__always)
    init(capacity: Int, _ write: (inout ByteSink) -> Void) {
        self = unsafe String(unsafeUninitializedCapacity: capacity) { room in
            var sink = unsafe ByteSink(room)
            write(&sink)
            return sink.count
        }
    }
}

extension Span<UInt8> {
    /// The hash of the text with the random seed of the process.
    @inline(__always)
    var seededHash: Int {
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}

/// Memory for a known number of bytes that is being filled.
///
/// SAFETY: it lives inside the closure that receives the memory, and refuses a byte beyond the last.
@safe struct ByteSink {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    @inline(__always)
    fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.room = unsafe room
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        precondition(unsafe count < room.count, "more bytes than there is room for")
        unsafe room[count] = byte
        count &+= 1
    }
}
