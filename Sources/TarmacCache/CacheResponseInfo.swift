#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// An attachment of a response with the records of the stage on the wire.
struct CacheResponseInfo: Attachment {
    /// The times at which the request was sent and the response arrived, for its age (RFC 9111 §4.2.3).
    var sent: Date?
    var received: Date?
}

/// An entry with its store.
struct CacheReference: StoredResponseOrigin {
    let writeQueue: CacheWriteQueue
    let entry: CacheEntry

    func discard() async { await writeQueue.remove(.entry(entry.id), for: nil) }
}
