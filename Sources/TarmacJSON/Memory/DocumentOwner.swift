#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the bytes of a document alive and in place, and provides their address.
// SAFETY: `Data` keeps up to 14 bytes and `String` up to 15 inline; larger ones have heap storage (or are constants)
// which neither moves nor changes while a copy of the value is held, because a writer elsewhere would find it shared and
// copy first. So their address outlives the closure that shows it; inputs below `smallestStable` are copied to an array,
// which is always on the heap. For an object, its creator promises the same. The memory is only read.
@safe struct DocumentOwner: @unchecked Sendable {
    private enum Holder {
        case data(Data)
        case array([UInt8])
        case string(String)
        case object(any AnyObject & Sendable)
    }

    /// The size in bytes from which values are never stored inline.
    private static let smallestStable = 64

    private let holder: Holder
    private let bytes: UnsafeRawBufferPointer

    private init(_ holder: Holder, _ bytes: UnsafeRawBufferPointer) {
        self.holder = holder
        unsafe self.bytes = bytes
    }

    init(_ data: Data) {
        guard data.count >= Self.smallestStable else {
            self.init([UInt8](data))
            return
        }
        unsafe self.init(.data(data), data.withUnsafeBytes { unsafe $0 })
    }

    init(_ array: [UInt8]) {
        unsafe self.init(.array(array), array.withUnsafeBytes { unsafe $0 })
    }

    init(_ string: String) {
        guard string.utf8.count >= Self.smallestStable else {
            self.init([UInt8](string.utf8))
            return
        }
        var string = string
        string.makeContiguousUTF8()
        let bytes = string.withUTF8 { UnsafeRawBufferPointer($0) }
        unsafe self.init(.string(string), bytes)
    }

    init(_ object: any AnyObject & Sendable, bytes: UnsafeRawBufferPointer) {
        unsafe self.init(.object(object), bytes)
    }

    var byteCount: Int { unsafe bytes.count }

    /// Calls `body` with the text.
    @inline(__always)
    func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(holder) {} }
        return try unsafe body(RawSpan(_unsafeBytes: bytes)._unsafeView(as: UInt8.self))
    }

    func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(holder) {} }
        return try unsafe body(bytes)
    }
}
