#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the bytes of a document alive and in place.
enum DocumentOwner: Sendable {
    case data(Data)
    case array([UInt8])
    case string(String)
    case object(any AnyObject & Sendable)
}

extension DocumentOwner {
    /// Values of this size and more live on the heap, so their address outlives the closure that shows it.
    ///
    /// SAFETY: `Data` keeps up to 14 bytes and `String` up to 15 inline; larger ones have heap storage
    /// (or are constants) which neither moves nor changes while a copy of the value is held, because a
    /// writer elsewhere would find it shared and copy first. Smaller inputs are copied to an array.
    private static let smallestStable = 64

    /// The owner and the place of its bytes.
    static func holding(_ data: Data) -> (DocumentOwner, UnsafeRawBufferPointer) {
        guard data.count >= smallestStable else { return holding([UInt8](data)) }
        return data.withUnsafeBytes { (.data(data), $0) }
    }

    static func holding(_ array: [UInt8]) -> (DocumentOwner, UnsafeRawBufferPointer) {
        array.withUnsafeBytes { (.array(array), $0) }
    }

    static func holding(_ string: String) -> (DocumentOwner, UnsafeRawBufferPointer) {
        var string = string
        string.makeContiguousUTF8()
        guard string.utf8.count >= smallestStable else { return holding([UInt8](string.utf8)) }
        return string.withUTF8 { UnsafeRawBufferPointer($0) }.paired(with: string)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func paired(with string: String) -> (DocumentOwner, UnsafeRawBufferPointer) {
        (.string(string), self)
    }
}
