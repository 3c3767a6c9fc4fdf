#if Telemetry
@_spi(TarmacRooms) import TarmacCore

/// The number of times that one request of a call was sent: by repeats, redirects, renewals and hedges, and by the transport itself.
///
/// Each range of a segmented download, and each connection of a stream that reconnects, is a request of its own.
final class RequestCount: Attachment {
    private let sent = Locked(0)

    /// Counts a request, and returns the number of those before it.
    func next() -> Int {
        sent.withLock { sent in
            defer { sent += 1 }
            return sent
        }
    }

    /// Counts the times that a transport sent a request again by itself.
    func add(_ resends: Int) { if resends > 0 { sent.withLock { $0 += resends } } }
}
#endif
